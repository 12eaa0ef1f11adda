// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// A check that the user's default applications exist, because an application or its program may have been removed.
enum DefaultCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    snapshot.handlers.flatMap { handler in
      handler.unusable.filter { !isReportedForEntry($0, snapshot) }.map { candidate in
        Finding(
          check: "default", message: message(handler, candidate), file: candidate.origin.path,
          line: candidate.origin.line, command: command(handler, candidate: candidate, snapshot: snapshot))
      }
    }
  }

  /// Returns `true` if the finding about the entry contains the fix, so that the registration need not be removed.
  private static func isReportedForEntry(_ candidate: Resolution.Candidate, _ snapshot: SystemSnapshot)
    -> Bool
  {
    guard case .unusable(let refused) = candidate.verdict, let first = refused.first else { return false }
    if snapshot.managedEntries.contains(where: {
      $0.path == first.path && AppImageCheck.isMissing($0, snapshot)
    }) {
      return true
    }
    switch first.refusal {
    case .programNotExecutable: return true
    case .programNotFound:
      return snapshot.managedEntries.contains {
        $0.path == first.path && snapshot.originals[$0.original ?? ""] != nil
      }
    default: return false
    }
  }

  private static func message(_ handler: SchemeHandler, _ candidate: Resolution.Candidate) -> String {
    let instead = handler.application.map { "\($0) opens it instead" } ?? "no application opens it"
    return "\(handler.scheme): the default \(candidate.name) cannot be used; \(instead): \(candidate.verdict)"
  }

  private static func command(
    _ handler: SchemeHandler, candidate: Resolution.Candidate, snapshot: SystemSnapshot
  ) -> String {
    let scheme = handler.scheme
    let id = ApplicationID(desktopFileName: candidate.name)
    let isOurs = snapshot.registered.contains { $0.scheme == scheme && $0.applications.contains { $0 == id } }
    if isOurs, let id {
      return Shell.command("usher", "unregister", id.rawValue, "--scheme", scheme.rawValue)
    }
    guard let other = handler.application else {
      return Shell.command("sed", "-i", #"\|^\#(scheme.mimeType) *=|d"#, candidate.origin.path)
    }
    if scheme.refusal != nil { return Shell.command("gio", "mime", scheme.mimeType, other.desktopFileName) }
    return Shell.command("usher", "register", other.rawValue, "--scheme", scheme.rawValue)
  }
}
