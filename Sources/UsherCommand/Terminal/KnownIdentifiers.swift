// SPDX-License-Identifier: Apache-2.0
import DBus

/// The identifiers of what the daemon stores for an application, to name those that the user mistyped, because the daemon ignores them.
struct KnownIdentifiers {
  private let application: String
  private var identifiers: Set<String> = []

  /// Creates a list without identifiers.
  init(of application: String) { self.application = application.withoutDesktopSuffix }

  /// Adds the identifiers of entries with the keys `application` and `identifier`; those of other applications are skipped.
  mutating func insert(_ entries: [[String: Variant]]) {
    for entry in entries where (entry["application"]?.string ?? application) == application {
      if let identifier = entry["identifier"]?.string { identifiers.insert(identifier) }
    }
  }

  /// Warns of each given identifier that is unknown.
  ///
  /// - Parameters:
  ///   - noun: The noun for what an identifier names, such as `region`.
  ///   - list: The words of the command that lists the identifiers.
  func warn(of given: [String], named noun: String, list: String...) {
    for identifier in given where !identifiers.contains(identifier) {
      let command = (["usher"] + list).map(Shell.word).joined(separator: " ")
      Console.warn("\(application) has no \(noun) “\(identifier)”; “\(command)” lists the identifiers")
    }
  }
}
