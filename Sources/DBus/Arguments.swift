// SPDX-License-Identifier: Apache-2.0
/// The argument list of a method or signal, as a list of types.
///
/// `Arguments<[String], [String: Variant]>` describes the arguments of `Open(as, a{sv})`.
public struct Arguments<each Value: BusConvertible>: BusArgumentList {
  /// The types of the arguments, in order.
  public static var signatures: [Signature] {
    var signatures: [Signature] = []
    for type in repeat (each Value).self { signatures.append(type.busSignature) }
    return signatures
  }

  static func write(_ values: repeat each Value, to message: BusMessage) throws(BusError) {
    let writer = MessageWriter(message)
    for value in repeat each values { try value.write(to: writer) }
  }

  static func read(
    from message: BusMessage, within limit: MessageLimit = .standard
  ) throws(BusError) -> (repeat each Value) {
    var expected = ""
    for type in repeat (each Value).self { expected += type.busSignature.rawValue }
    guard message.signature.rawValue == expected else {
      throw BusError(
        .invalidArgs,
        "\(message.member.map { "wrong arguments of \($0)" } ?? "wrong reply"): expected the D-Bus signature (\(expected)), got (\(message.signature))"
      )
    }
    let reader = try MessageReader(rewinding: message, within: limit)
    return (repeat try (each Value)(from: reader))
  }

  /// Reads a reply, and marks the error of one that cannot be read, because the other side can send an error of that name, too.
  static func read(
    fromReply reply: BusMessage, within limit: MessageLimit
  ) throws(BusError) -> (repeat each Value) {
    do throws(BusError) {
      return try read(from: reply, within: limit)
    } catch {
      var error = error
      error.isOfUnreadableReply = true
      throw error
    }
  }
}

/// A list of argument types; `Arguments` is the only one.
public protocol BusArgumentList: Sendable {
  /// The types of the arguments, in order.
  static var signatures: [Signature] { get }
}
