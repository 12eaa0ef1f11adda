// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

extension Broker {
  /// Returns the verdict on a `file:` URL with a local path.
  ///
  /// The order is that of GIO: an application for the scheme `file`, if there is one, precedes an application for the
  /// MIME type of the file.
  func file(
    at path: [UInt8], _ request: OpenRequest, _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    let name = String(decoding: path, as: UTF8.self)
    var outcome: FileTypeOutcome
    if let reported = request.fileTypes {
      guard let found = reported[path] else { return .refuse(.notExamined(path: path)) }
      outcome = found
    } else {
      outcome = LocalFiles().type(ofFileAt: path)
    }
    if outcome == .silent {
      trace.note(
        .request, "the file system did not respond in time, so the type is derived from the file's name")
      outcome = LocalFiles().type(ofFileNamed: path)
    }
    let type: MIMEType
    switch outcome {
    case .type(let found): type = found
    case .silent: return .refuse(.noFile(path: name, reason: "the file system did not respond in time"))
    case .missing: return .refuse(.noFile(path: name, reason: "the file does not exist"))
    case .unreachable(let reason), .unknown(let reason): return .refuse(.noFile(path: name, reason: reason))
    }
    if let scheme = URLScheme("file"), case let resolution = resolution(of: scheme),
      resolution.application != nil
    {
      return verdict(of: resolution, otherwise: .noHandlerOfType(type), &trace)
    }
    let resolution = resolver.resolve(type, excluding: [.usherHandler])
    let kinds = resolution.types.dropFirst().joined(separator: ", ")
    trace.note(.request, "the file is \(type)\(kinds.isEmpty ? "" : ", a kind of \(kinds)")")
    return verdict(of: resolution, otherwise: .noHandlerOfType(type), &trace)
  }
}
