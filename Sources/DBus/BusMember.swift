// SPDX-License-Identifier: Apache-2.0
/// A received method call.
public struct BusCall: Sendable {
  /// The caller's unique name.
  public let sender: BusName
  /// The called object.
  public let path: ObjectPath
  /// The connection on which the call arrived.
  public let connection: BusConnection
}

/// A function that appends a method's results to the reply.
typealias ReplyWriter = @Sendable (BusMessage) throws(BusError) -> Void

/// A function that appends a property's value as a `v`.
typealias PropertyWriter = @Sendable (borrowing MessageWriter) throws(BusError) -> Void

/// A method, property or signal of a served object.
public struct BusMember: Sendable {
  enum Kind: Sendable {
    case method(
      input: [(String, Signature)], output: [(String, Signature)],
      serve: @Sendable (BusCall, BusMessage) async throws(BusError) -> ReplyWriter)
    case property(
      Signature, get: @Sendable () async throws(BusError) -> PropertyWriter,
      set: (@Sendable (BusMessage) async throws(BusError) -> Void)?)
    case signal([(String, Signature)])
  }
  let interface: InterfaceName
  let name: MemberName
  let kind: Kind

  /// Declares a served method.
  ///
  /// The body receives the call and the method's arguments, and returns its results; an error that it throws becomes
  /// the error reply. Calls start in the order in which they arrive.
  ///
  /// - Parameters:
  ///   - limit: limits the strings of the first argument before any argument is copied.
  ///   - whole: limits all arguments while they are copied.
  public static func method<each Input: BusConvertible, each Output: BusConvertible>(
    _ method: BusMethod<Arguments<repeat each Input>, Arguments<repeat each Output>>,
    limit: StringListLimit? = nil, within whole: MessageLimit = .standard,
    _ body: @escaping @Sendable (BusCall, repeat each Input) async throws(BusError) -> (repeat each Output)
  ) -> BusMember {
    BusMember(
      interface: method.interface, name: method.name,
      kind: .method(
        input: Array(zip(method.input, Arguments<repeat each Input>.signatures)),
        output: Array(zip(method.output, Arguments<repeat each Output>.signatures)),
        serve: { call, message throws(BusError) in
          try limit?.check(message)
          let input = try Arguments<repeat each Input>.read(from: message, within: whole)
          let output = try await body(call, repeat each input)
          return { reply throws(BusError) in
            try Arguments<repeat each Output>.write(repeat each output, to: reply)
          }
        }))
  }

  /// Declares a served property.
  public static func property<Value: BusConvertible>(
    _ property: BusProperty<Value>,
    get: @escaping @Sendable () async throws(BusError) -> Value,
    set: (@Sendable (Value) async throws(BusError) -> Void)? = nil
  ) -> BusMember {
    BusMember(
      interface: property.interface, name: property.name,
      kind: .property(
        Value.busSignature,
        get: { () throws(BusError) in
          let value = VariantBox(try await get())
          return { writer throws(BusError) in try value.write(to: writer) }
        },
        set: set.map { set in
          { @Sendable message async throws(BusError) in
            let (_, _, value) = try Arguments<String, String, VariantBox<Value>>.read(from: message)
            try await set(value.value)
          }
        }))
  }

  /// Declares a signal that the object sends.
  public static func signal<Values: BusArgumentList>(_ signal: BusSignal<Values>) -> BusMember {
    BusMember(
      interface: signal.interface, name: signal.name,
      kind: .signal(Array(zip(signal.arguments, Values.signatures))))
  }
}

/// A served object, with the members of all its interfaces.
public struct BusObject: Sendable {
  /// The path of the object.
  public let path: ObjectPath
  let members: [BusMember]
  /// A function that returns an error for a call that is refused before its arguments are read; `nil` serves all calls.
  let refusal: (@Sendable (_ sender: BusName, _ member: MemberName) -> BusError?)?

  /// Creates an object with these members, which are grouped by interface.
  ///
  /// - Parameter refusal: is called on the connection's loop for each call when it is received.
  public init(
    _ path: ObjectPath, _ members: [BusMember],
    refusal: (@Sendable (_ sender: BusName, _ member: MemberName) -> BusError?)? = nil
  ) {
    self.path = path
    self.members = members
    self.refusal = refusal
  }

  /// The interfaces in the order of their first member.
  var interfaces: [InterfaceName] {
    var seen: [InterfaceName] = []
    for member in members where !seen.contains(member.interface) { seen.append(member.interface) }
    return seen
  }

  /// Returns whether the object implements `interface`, or every object does.
  func answers(_ interface: String) -> Bool {
    interfaces.contains { $0.rawValue == interface }
      || ["Peer", "Introspectable", "Properties"].contains { interface == "org.freedesktop.DBus.\($0)" }
  }

  func member(_ name: MemberName, of interface: InterfaceName?) -> BusMember? {
    members.first { $0.name == name && (interface == nil || $0.interface == interface) }
  }
}
