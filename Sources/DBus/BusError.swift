// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An error of a call over the bus.
///
/// `name` can be any error name, because the called program may reply with the name of an error of the bus; `description` is a sentence for users and never contains the arguments of the call.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The D-Bus error name.
  public let name: ErrorName
  /// The message of the other side or of libsystemd.
  public let message: String
  /// The attempted call, such as `org.usher.Broker1.Open on /org/usher/Broker1 at :1.7`.
  public var attempt: String?
  /// The `a{sv}` after the message in the error's body; empty if there is none.
  public let details: [String: Variant]
  /// A Boolean value that indicates whether the other side replied without an error, and its reply cannot be read.
  package var isOfUnreadableReply = false
  /// A Boolean value that indicates whether the called program has replied with the error, and not the bus or this connection.
  package var isOfCalledProgram = false

  /// Creates an error.
  public init(
    _ name: ErrorName, _ message: String, attempt: String? = nil, details: [String: Variant] = [:]
  ) {
    self.name = name
    self.message = message
    self.attempt = attempt
    self.details = details
  }

  /// The error without what follows its message.
  public var withoutDetails: BusError {
    var error = BusError(name, message, attempt: attempt)
    error.isOfCalledProgram = isOfCalledProgram
    return error
  }

  /// The error as a sentence for users.
  public var description: String {
    let said = message.isEmpty ? name.rawValue : "\(message) (\(name))"
    return attempt.map { "\($0): \(said)" } ?? said
  }
}

extension ErrorName {
  /// The name has no owner, and no program can be started for it.
  public static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
  /// The name has no owner.
  public static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
  /// The other side disconnected, or did not reply in time.
  public static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
  /// The caller's own timeout expired.
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
  /// The method exists, but does not support the requested operation.
  public static let notSupported: ErrorName = "org.freedesktop.DBus.Error.NotSupported"
  /// The message exceeds a limit of the receiver.
  public static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
  /// The arguments do not have the types of the method.
  public static let invalidArgs: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
  /// The caller is not permitted to do this.
  public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
  /// The connection is closed.
  public static let disconnected: ErrorName = "org.freedesktop.DBus.Error.Disconnected"
  /// The connection was lost before the call was sent; used only locally.
  public static let notSent: ErrorName = "org.usher.DBus.NotSent"
  /// The waiting task was cancelled; used only locally.
  public static let cancelled: ErrorName = "org.usher.DBus.Cancelled"
  /// Any other error.
  public static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
}

extension BusError {
  /// The error for a dictionary with NaN as a key: such keys are equal to no other, but have one hash, so that each further one would take
  /// longer.
  static let keyIsNaN = BusError(.invalidArgs, "NaN cannot be the key of a dictionary")

  /// Creates the error for a negative `errno` value of libsystemd.
  init(errno code: Int32, _ what: String, attempt: String? = nil) {
    let reason = String(cString: strerror(abs(code)))
    let name: ErrorName = [ENOTCONN, ECONNRESET, ESHUTDOWN].contains(abs(code)) ? .disconnected : .failed
    self.init(name, "\(what): \(reason)", attempt: attempt)
  }
}

extension BusError {
  /// A Boolean value that is `true` if the object of the call does not exist, or does not have its interface or method.
  package var isOfMissingObject: Bool {
    [.unknownMethod, .unknownInterface, .unknownObject].contains(name)
  }
}
