/// A method, declared once for both sides: the caller's types and the server's are the same.
///
/// ```swift
/// static let open = BusMethod<Arguments<[String], [String: Variant]>, Arguments<[String: Variant]>>(
///   "Open", of: "org.usher.Broker1", takes: ["uris", "options"], returns: ["receipt"])
/// ```
public struct BusMethod<Input: BusArgumentList, Output: BusArgumentList>: Sendable {
  /// The interface it belongs to.
  public let interface: InterfaceName
  /// Its own name.
  public let name: MemberName
  /// Names of the arguments in and out, for introspection.
  let input: [String]
  let output: [String]

  /// Declares a method; there is one name for each argument.
  public init(
    _ name: MemberName, of interface: InterfaceName, takes input: [String] = [], returns output: [String] = []
  ) {
    precondition(input.count == Input.signatures.count && output.count == Output.signatures.count)
    self.interface = interface
    self.name = name
    self.input = input
    self.output = output
  }
}

/// A signal, declared once for both sides.
public struct BusSignal<Values: BusArgumentList>: Sendable {
  /// The interface it belongs to.
  public let interface: InterfaceName
  /// Its own name.
  public let name: MemberName
  let arguments: [String]

  /// Declares a signal; there is one name for each argument.
  public init(_ name: MemberName, of interface: InterfaceName, carries arguments: [String] = []) {
    precondition(arguments.count == Values.signatures.count)
    self.interface = interface
    self.name = name
    self.arguments = arguments
  }
}

/// A property, declared once for both sides.
public struct BusProperty<Value: BusConvertible>: Sendable {
  /// The interface it belongs to.
  public let interface: InterfaceName
  /// Its own name.
  public let name: MemberName
  /// Whether it may be set.
  public let isWritable: Bool

  /// Declares a property.
  public init(_ name: MemberName, of interface: InterfaceName, writable: Bool = false) {
    self.interface = interface
    self.name = name
    isWritable = writable
  }
}

/// An object somewhere on the bus.
public struct RemoteObject: Hashable, Sendable, CustomStringConvertible {
  /// The connection it lives on.
  public let name: BusName
  /// Where it lives there.
  public let path: ObjectPath

  /// The object at `path` of the connection `name`.
  public init(_ name: BusName, _ path: ObjectPath) {
    self.name = name
    self.path = path
  }

  /// As in `/org/usher/Broker1 at :1.7`.
  public var description: String { "\(path) at \(name)" }

  /// The bus itself.
  public static let bus = RemoteObject("org.freedesktop.DBus", "/org/freedesktop/DBus")
}
