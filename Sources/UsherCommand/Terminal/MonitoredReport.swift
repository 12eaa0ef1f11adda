// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// The reply of `usher-triggers` to a list: items of applications, and the state of the service of the system that they need.
struct MonitoredReport {
  private let entries: [String: Variant]
  /// The application of which the items are wanted; `nil` for all.
  private let application: String?

  /// Creates the report of a reply.
  ///
  /// - Parameter application: The application of which the items are wanted; `nil` for all.
  init(_ entries: [String: Variant], of application: String?) {
    self.entries = entries
    self.application = application?.withoutDesktopSuffix
  }

  /// Returns the items under a key.
  func items(_ key: String) -> [[String: Variant]] {
    (entries[key]?.dictionaries ?? []).filter {
      application == nil || $0["application"]?.string == application
    }
  }

  /// Returns the applications under a key.
  func applications(_ key: String) -> [String] {
    (entries[key]?.strings ?? []).filter { application == nil || $0 == application }
  }

  /// Prints the wanted items and the state of the service as one JSON object.
  func printJSON(_ items: [String: Variant]) {
    var result = items
    for key in ["service", "message"] { result[key] = entries[key] }
    Console.emit(JSONText.line(result))
  }

  /// Prints why the service reports nothing, and what to do, if that is so.
  func warn() {
    if let message = entries["message"]?.string { Console.warn(message) }
  }
}
