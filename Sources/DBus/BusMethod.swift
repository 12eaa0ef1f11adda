// SPDX-License-Identifier: Apache-2.0
/// The declaration of a method, which callers and servers share so that their types agree.
///
/// ```swift
/// static let open = BusMethod<Arguments<[String], [String: Variant]>, Arguments<[String: Variant]>>(
///   "Open", of: "org.usher.Broker1", takes: ["uris", "options"], returns: ["receipt"])
/// ```
public struct BusMethod<Input: BusArgumentList, Output: BusArgumentList>: Sendable {
  /// The interface of the method.
  public let interface: InterfaceName
  /// The name of the method.
  public let name: MemberName
  /// The names of the input and output arguments, for introspection.
  let input: [String]
  let output: [String]
  /// The limit on the content of a reply.
  let replyLimit: MessageLimit

  /// Declares a method, with one name for each argument.
  ///
  /// - Parameter replyLimit: The limit on the content of a reply, for a server that its callers do not trust.
  public init(
    _ name: MemberName, of interface: InterfaceName, takes input: [String] = [],
    returns output: [String] = [],
    replyLimit: MessageLimit = .unlimited
  ) {
    precondition(input.count == Input.signatures.count && output.count == Output.signatures.count)
    self.interface = interface
    self.name = name
    self.input = input
    self.output = output
    self.replyLimit = replyLimit
  }
}

/// The declaration of a signal, which senders and receivers share.
public struct BusSignal<Values: BusArgumentList>: Sendable {
  /// The interface of the signal.
  public let interface: InterfaceName
  /// The name of the signal.
  public let name: MemberName
  let arguments: [String]

  /// Declares a signal, with one name for each argument.
  public init(_ name: MemberName, of interface: InterfaceName, carries arguments: [String] = []) {
    precondition(arguments.count == Values.signatures.count)
    self.interface = interface
    self.name = name
    self.arguments = arguments
  }
}

/// The declaration of a property, which callers and servers share.
public struct BusProperty<Value: BusConvertible>: Sendable {
  /// The interface of the property.
  public let interface: InterfaceName
  /// The name of the property.
  public let name: MemberName
  /// Indicates whether it can be set.
  public let isWritable: Bool

  /// Declares a property.
  public init(_ name: MemberName, of interface: InterfaceName, writable: Bool = false) {
    self.interface = interface
    self.name = name
    isWritable = writable
  }
}

/// An object of another connection: a bus name and an object path.
public struct RemoteObject: Hashable, Sendable, CustomStringConvertible {
  /// The name of its connection.
  public let name: BusName
  /// The path of the object.
  public let path: ObjectPath

  /// Creates the object at `path` of the connection `name`.
  public init(_ name: BusName, _ path: ObjectPath) {
    self.name = name
    self.path = path
  }

  /// The object in a sentence, such as `/org/usher/Broker1 at :1.7`.
  public var description: String { "\(path) at \(name)" }

  /// The object of the bus itself.
  public static let bus = RemoteObject(.bus, "/org/freedesktop/DBus")
}
