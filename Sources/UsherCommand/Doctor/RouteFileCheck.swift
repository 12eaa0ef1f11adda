// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteTables

/// A check that all route files are valid.
enum RouteFileCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    diagnostics(snapshot) + missing(snapshot)
  }

  private static func diagnostics(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.routeDiagnostics.map { diagnostic in
      let line = diagnostic.location.line > 0 ? diagnostic.location.line : nil
      return Finding(
        check: "routes", message: diagnostic.message, file: diagnostic.location.file, line: line,
        command: diagnostic.command ?? Shell.edit(diagnostic.location.file, at: line))
    }
  }

  private static func missing(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.routesWithoutApplication.map { route, application in
      Finding(
        check: "routes",
        message:
          "the route “\(route.id)” opens its links with \(application), which is not installed, so they fail: install \(application), or change the route",
        file: route.location.file, line: route.location.line,
        command: Shell.edit(route.location.file, at: route.location.line))
    }
  }

  /// Notes about files that look like route files and are not read.
  static func notes(_ snapshot: SystemSnapshot) -> [Note] {
    snapshot.skippedRouteFiles.map {
      Note(
        check: "routes",
        message: "\($0) is not read: only files whose name ends in .toml are read, and no subdirectories")
    }
  }
}
