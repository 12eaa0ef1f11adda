// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// Reads the defaults for schemes from `mimeapps.list` (Association between MIME types and applications, version 1.0.1).
///
/// The first application of a line that is installed is the default. Of several files, the first that names a scheme decides. Usher's own
/// entry, which `usher register` puts first, is skipped: Usher passes such links to the application that follows.
enum AssociationRules {
  private static let defaults = "Default Applications"
  private static let prefix = "x-scheme-handler/"

  static func rules(_ bytes: [UInt8], file: String, known: Set<String>) throws(ImportError) -> ImportedRules {
    let list = KeyFile(bytes: bytes)
    if let diagnostic = list.fatalDiagnostics.first {
      throw .invalidFile(
        at: SourceLocation(file: file, line: diagnostic.line, column: 1),
        reason: "the file is not a key file: \(diagnostic.description)")
    }
    var result = ImportedRules()
    // A removal does not change which application of a line is the default.
    for group in list.groups where group != "Removed Associations" {
      for key in list.keys(in: group) {
        let location = SourceLocation(file: file, line: list.line(of: key, in: group) ?? 1, column: 1)
        let text = "\(key)=\(list.value(of: key, in: group) ?? "")"
        guard group == defaults else {
          result.leaveOut(text, at: location, "[\(group)] lists further applications, and a route opens one")
          continue
        }
        guard key.hasPrefix(prefix) else {
          result.leaveOut(text, at: location, "it is a file type, and routes match URLs")
          continue
        }
        let scheme = String(key.dropFirst(prefix.count))
        guard !["unknown", "terminal"].contains(scheme), !scheme.isEmpty else {
          result.leaveOut(text, at: location, "it is not a scheme of URLs")
          continue
        }
        guard !known.contains(scheme) else {
          result.leaveOut(text, at: location, "an earlier file names `\(scheme)`")
          continue
        }
        read(
          scheme, handledBy: list.list(of: key, in: group) ?? [], text: text, at: location, into: &result)
      }
    }
    return result
  }

  private static func read(
    _ scheme: String, handledBy names: [String], text: String, at location: SourceLocation,
    into result: inout ImportedRules
  ) {
    let named = names.filter { $0.hasSuffix(".desktop") }.map { String($0.dropLast(".desktop".count)) }
    let ids = named.filter { $0 != ApplicationID.usherHandler.rawValue }
    guard !ids.isEmpty || named.isEmpty else {
      result.leaveOut(text, at: location, "it names only Usher, which opens no links itself")
      return
    }
    guard let first = ids.first, !first.isEmpty else {
      result.leaveOut(text, at: location, "it names no desktop file")
      return
    }
    var rule = ImportedRule(
      location: location, text: text.inOneShortLine,
      conditions: [SourceCondition(matcher: .scheme(scheme), text: scheme)],
      action: .application(first, isRequired: true))
    if ids.count > 1 {
      rule.notes.append(
        "The line names \(ids.dropFirst().map { "`\($0)`" }.joined(separator: ", ")) for the case that `\(first)` is not installed; the route does not."
      )
    }
    result.rules.append(rule)
  }
}
