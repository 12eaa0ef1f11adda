// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteFiles

/// A check that features that the administrator disabled are not in use.
enum LockCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    guard let file = snapshot.locks.file(of: .directRegistration) else { return [] }
    return snapshot.registered.compactMap { line in
      guard line.isDirect, let application = line.applications.first else { return nil }
      return Finding(
        check: "locks",
        message:
          "\(line.scheme) is registered with --direct, which \(file) disables; \(application) receives these links without the broker",
        file: snapshot.directories.userAssociationList, line: line.line,
        command: Shell.command(
          "usher", "register", application.rawValue, "--scheme", line.scheme.rawValue))
    }
  }
}
