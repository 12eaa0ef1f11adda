// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// The applications that open URLs by the desktop's own files, if no route decides.
///
/// It is a class because several parts of the broker share it, and a copy of the resolver costs more than a reference.
final class DesktopHandlers: Sendable {
  let resolver: ApplicationResolver
  /// The cache of chosen handlers; `nil` if each decision resolves the handler again.
  let choices: (any HandlerCaching)?

  /// Creates the handlers that `resolver` finds.
  init(_ resolver: ApplicationResolver, choices: (any HandlerCaching)? = nil) {
    self.resolver = resolver
    self.choices = choices
  }

  /// Returns these handlers with a cache of those that are chosen.
  func remembering(in choices: (any HandlerCaching)?) -> DesktopHandlers {
    DesktopHandlers(resolver, choices: choices)
  }

  /// Every file and directory that was read when the resolver was created, existing or not.
  var places: [String] { resolver.places }

  /// Returns the application that opens a URL.
  func resolve(
    _ url: URLString, request: OpenRequest, _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    guard let scheme = URLScheme(url.scheme) else { return .refuse(.noHandler(scheme: url.scheme)) }
    if let refusal = SchemePolicy.refusal(ofFileURL: url) { return .refuse(refusal) }
    if case .path(let path)? = FileURL.place(of: url.text) { return file(at: path, request, &trace) }
    return handler(of: scheme, &trace)
  }

  /// Returns the ID of the application that would open a URL if there were no routes; `nil` if none would.
  func applicationWithoutRoutes(_ url: URLString, _ request: OpenRequest) -> ApplicationID? {
    var trace = DecisionTrace(tellsSteps: false)
    guard case .deliver(let target) = resolve(url, request: request, &trace) else { return nil }
    return target.id
  }

  /// Returns the application that handles a scheme.
  func handler(of scheme: URLScheme, _ trace: inout DecisionTrace) -> Decision.Verdict {
    if !trace.tellsSteps, let known = choices?.choice(for: scheme) { return .deliver(known) }
    let resolution = resolution(of: scheme)
    let verdict = verdict(of: resolution, otherwise: .noHandler(scheme: scheme.rawValue), &trace)
    if case .deliver(let application) = verdict, let choices, let places = resolver.places(behind: resolution)
    {
      choices.keep(application, for: scheme, restingOn: places)
    }
    return verdict
  }

  /// Returns the handler of a scheme.
  ///
  /// Usher's own entry is excluded: the desktop's files name it so that URLs reach the broker.
  func resolution(of scheme: URLScheme) -> Resolution {
    resolver.resolve(scheme, excluding: [.usherHandler], listing: false)
  }

  /// Returns the verdict on a `file:` URL with a local path.
  ///
  /// The order is that of GIO: an application for the scheme `file`, if there is one, precedes an application for the
  /// MIME type of the file.
  private func file(
    at path: [UInt8], _ request: OpenRequest, _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    let name = String(decoding: path, as: UTF8.self)
    var outcome: FileTypeOutcome
    if let reported = request.system.fileTypes {
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

  /// Returns the verdict of a resolution, and adds its candidates to the explanation.
  private func verdict(
    of resolution: Resolution, otherwise refusal: Refusal, _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    for candidate in resolution.candidates { trace.note(.candidate, "\(candidate)") }
    for diagnostic in resolution.diagnostics { trace.note(.candidate, "\(diagnostic)") }
    guard let entry = resolution.application, let id = entry.id else {
      return .refuse(resolution.firstWithoutProgram ?? refusal)
    }
    return .deliver(TargetApplication(id: id, entry: entry))
  }
}

extension Resolution {
  /// The rejection for the first registered application whose entry is valid but whose program is missing; `nil` if no entry is in this state.
  fileprivate var firstWithoutProgram: Refusal? {
    for candidate in candidates {
      guard case .unusable(let refused) = candidate.verdict,
        let first = refused.first(where: { $0.refusal.isAboutProgram })
      else { continue }
      let id = ApplicationID(candidate.name)?.rawValue ?? candidate.name
      return .noProgram(id, reason: "\(first.path): \(first.refusal)")
    }
    return nil
  }
}
