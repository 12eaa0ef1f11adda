// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteTables

/// A check that all route files are valid.
enum RouteFileCheck {
  static func findings(_ facts: SystemSnapshot) -> [Finding] {
    facts.routeDiagnostics.map { diagnostic in
      let line = diagnostic.location.line > 0 ? diagnostic.location.line : nil
      return Finding(
        check: "routes", message: diagnostic.message, file: diagnostic.location.file, line: line,
        command: diagnostic.command ?? Shell.edit(diagnostic.location.file, at: line))
    }
  }
}
