import Glibc

/// Why a call over the bus did not succeed.
///
/// `name` is an open set, hence a type; `description` is the sentence a person reads and never holds the
/// arguments of the call.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The D-Bus error name.
  public let name: ErrorName
  /// What the other side, or libsystemd, said.
  public let message: String
  /// What was attempted, as `org.usher.Broker1.Open on /org/usher/Broker1 at :1.7`.
  public var attempt: String?
  /// The `a{sv}` that follows the message in the error's body, where there is one.
  public let details: [String: Variant]

  /// An error by its name.
  public init(
    _ name: ErrorName, _ message: String, attempt: String? = nil, details: [String: Variant] = [:]
  ) {
    self.name = name
    self.message = message
    self.attempt = attempt
    self.details = details
  }

  /// The sentence a person reads.
  public var description: String {
    let said = message.isEmpty ? name.rawValue : "\(message) (\(name))"
    return attempt.map { "\($0): \(said)" } ?? said
  }
}

extension ErrorName {
  /// Nobody owns the name, and nothing can be started for it.
  public static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// Nobody owns the name.
  public static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
  /// The other side went, or took too long.
  public static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
  /// Our own time-out passed.
  public static let timeout: ErrorName = "org.freedesktop.DBus.Error.Timeout"
  /// The object has no such method.
  public static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
  /// The object has no such interface.
  public static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
  /// There is no such object.
  public static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
  /// There is no such property.
  public static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
  /// The property can only be read.
  public static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
  /// The method exists and does not do this.
  public static let notSupported: ErrorName = "org.freedesktop.DBus.Error.NotSupported"
  /// The arguments are not what the method takes.
  public static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
  /// The caller may not do this.
  public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
  /// The connection is closed.
  public static let disconnected: ErrorName = "org.freedesktop.DBus.Error.Disconnected"
  /// The connection was lost, and our call was not on it yet; never on the wire.
  public static let notSent: ErrorName = "org.usher.DBus.NotSent"
  /// Our own task was cancelled while it waited; never on the wire.
  public static let cancelled: ErrorName = "org.usher.DBus.Cancelled"
  /// Anything else.
  public static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
}

extension BusError {
  /// An error of libsystemd, by its negative `errno` value.
  init(errno code: Int32, _ what: String, attempt: String? = nil) {
    let reason = String(cString: strerror(abs(code)))
    let name: ErrorName = [ENOTCONN, ECONNRESET, ESHUTDOWN].contains(abs(code)) ? .disconnected : .failed
    self.init(name, "\(what): \(reason)", attempt: attempt)
  }
}
