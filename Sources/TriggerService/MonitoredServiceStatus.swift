// SPDX-License-Identifier: Apache-2.0
import DBus

/// The status of a service of the system bus that applications use.
protocol MonitoredServiceStatus: Hashable, Sendable {
  /// The name in the replies of `org.usher.Triggers1`.
  var name: String { get }
  /// The error and its remedy; `nil` if the service works.
  ///
  /// A command is last, after “; run: ”, at which `usher doctor` splits the message.
  var message: String? { get }
}

extension MonitoredServiceStatus {
  /// Returns the reply with a list of what applications use, and with the status.
  func reply(with list: [String: Variant]) -> [String: Variant] {
    var reply = list
    reply["service"] = .string(name)
    reply["message"] = message.map(Variant.string)
    return reply
  }
}
