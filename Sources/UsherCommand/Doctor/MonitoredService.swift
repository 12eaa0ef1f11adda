// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// The reply of the trigger daemon about a service of the system bus that applications use.
struct MonitoredService {
  /// The IDs of the applications that monitor something.
  var applications: Set<String> = []
  /// The reason why the service reports nothing, and the remedy; `nil` if it works.
  var message: String?

  init() {}

  /// Reads a reply of `org.usher.Triggers1`.
  ///
  /// - Parameters:
  ///   - key: The key of the list of what is monitored.
  ///   - others: The keys of lists of further applications.
  init(_ monitored: [String: Variant], _ key: String, others: [String] = []) {
    applications = Set((monitored[key]?.dictionaries ?? []).compactMap { $0["application"]?.string })
    for key in others { applications.formUnion(monitored[key]?.strings ?? []) }
    message = monitored["message"]?.string
  }

  /// Returns the finding that the service reports nothing, if an application uses it.
  ///
  /// - Parameters:
  ///   - check: The name of the check.
  ///   - verb: The action of the applications, in the plural.
  ///   - object: The object of the action.
  ///   - list: The command that lists it.
  func findings(_ check: String, verb: String = "monitor", object: String, list: String) -> [Finding] {
    guard !applications.isEmpty, let message else { return [] }
    // The messages name the command last, after “; run: ”.
    let parts = message.split(separator: "; run: ", maxSplits: 1).map(String.init)
    let subject =
      applications.count == 1
      ? "an application \(verb)s" : "\(applications.count) applications \(verb)"
    return [
      Finding(
        check: check, message: "\(subject) \(object), but \(parts[0])",
        command: parts.count == 2 ? parts[1] : list)
    ]
  }
}
