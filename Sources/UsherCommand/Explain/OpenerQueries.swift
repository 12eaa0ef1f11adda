// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Launching
import RouteTables

/// Queries to the desktop's other openers about a URL, which run the actual tools in parallel with a short timeout.
///
/// The tools run from the initializer on, so that the caller can do other work meanwhile.
struct OpenerQueries {
  private let subject: ProbeTarget?
  private let asked: [(opener: OpenerQuery, question: OpenerQuery.Question)]
  private let environment: [String: String]
  private let programs: ProgramSearch

  /// Starts the queries about `url`; there are none for a file that does not exist.
  init(about url: URLString) {
    let environment = LaunchEnvironment.current()
    let programs = ProgramSearch(path: environment["PATH"])
    (self.environment, self.programs) = (environment, programs)
    subject = ProbeTarget(url)
    // The slow xdg-mime, which runs a dozen programs in sequence, is started before gio, the fastest.
    let asked = (subject?.questions ?? []).reversed().map { opener, question in
      let opener = opener.named(in: programs)
      return (opener, opener.ask(question, programs))
    }
    self.asked = asked.reversed()
  }

  /// Returns the answers for a URL for which `application` was decided; can be called once.
  ///
  /// The remaining time for the answers is 3 s, or the number of seconds in `USHER_TEST_COMPARISON`, for tests on a loaded machine.
  func answers(decided application: String?) -> OpenerComparison {
    guard let subject else { return OpenerComparison(findings: []) }
    let deadline = ContinuousClock.now + .seconds(environment["USHER_TEST_COMPARISON"].flatMap(Int.init) ?? 3)
    // Computed here while the tools are running.
    let directories = BaseDirectories(environment: environment)
    let resolver = ApplicationResolver(directories: directories, programs: programs, isForOneAnswer: true)
    let resolution = subject.resolution(by: resolver)
    let portal = Self.portal(subject, resolution)
    let findings = asked.map { opener, question in
      Self.finding(opener, answer: question.answer(by: deadline), subject: subject, decided: application)
    }
    let choices = PortalChoices.read(directories, about: subject.type)
    let stored = PortalCandidates(resolution, catalog: resolver.catalog).overriding(choices.all)
    return OpenerComparison(
      findings: findings + [portal] + stored.map(Self.portal) + Self.unavailable(choices))
  }

  /// Returns the finding for a choice that the portal has stored.
  private static func portal(_ choice: PortalChoice) -> OpenerComparison.Finding {
    OpenerComparison.Finding(
      tool: "portal", state: .differs, answer: choice.application + ".desktop",
      reason:
        "for \(choice.callers), because the user chose it in the portal's chooser \(choice.count) times; its permission "
        + "store precedes mimeapps.list; to remove the choice, run: usher doctor --fix",
      caller: choice.caller)
  }

  private static func unavailable(_ choices: PortalChoices) -> [OpenerComparison.Finding] {
    guard case .unavailable = choices else { return [] }
    return [OpenerComparison.Finding(tool: "the portal's permission store", state: .timedOut)]
  }

  private static func finding(
    _ opener: OpenerQuery, answer: OpenerQuery.Answer, subject: ProbeTarget, decided application: String?
  ) -> OpenerComparison.Finding {
    let tool = opener.command.prefix { !$0.hasPrefix("-") }.joined(separator: " ")
    switch answer {
    case .missing: return OpenerComparison.Finding(tool: tool, state: .missing)
    case .timedOut: return OpenerComparison.Finding(tool: tool, state: .timedOut)
    case .failed(let reason): return OpenerComparison.Finding(tool: tool, state: .failed, reason: reason)
    case .names(let answer):
      let ours = [ApplicationID.usherHandler.desktopFileName, application.map { $0 + ".desktop" }]
      let isType = opener.isAboutType
      let isSame =
        isType ? answer == subject.type : answer.map { ours.contains($0) } ?? (application == nil)
      return OpenerComparison.Finding(
        tool: tool, state: isSame ? .same : .differs, answer: answer, reason: isSame ? nil : opener.reason)
    }
  }

  /// Returns the portal's choice by its documented rule, because the portal has no query that opens nothing.
  private static func portal(_ subject: ProbeTarget, _ resolution: Resolution) -> OpenerComparison.Finding {
    var names = resolution.registered.map(\.desktopFileName)
    if let id = resolution.application?.id, !names.contains(id.desktopFileName) {
      names.append(id.desktopFileName)
    }
    guard names.count > 1, !subject.isTakenAtItsDefaultByThePortal else {
      return OpenerComparison.Finding(tool: "portal", state: .same, answer: names.first)
    }
    return OpenerComparison.Finding(
      tool: "portal", state: .asks, answer: names.joined(separator: " "),
      reason:
        "sandboxed programs use the portal, which uses the default application for web, mail and calendar links and for directories; "
        + "otherwise it shows a chooser until the user has chosen one application three times")
  }
}

/// The subject of the queries.
private struct ProbeTarget {
  let type: String
  /// The MIME type with the scheme's original spelling, because some tools are case-sensitive.
  private let spelt: String
  private let path: String?
  private let scheme: URLScheme

  init?(_ url: URLString) {
    guard let scheme = URLScheme(url.scheme) else { return nil }
    self.scheme = scheme
    guard let place = FileURL.place(of: url.text) else {
      type = scheme.mimeType
      spelt = "x-scheme-handler/" + url.text.prefix { $0 != ":" }
      path = nil
      return
    }
    guard case .path(let bytes) = place, case .type(let found) = LocalFiles().type(ofFileAt: bytes),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    type = found.rawValue
    spelt = type
    path = text
  }

  /// The queries, each with its argument.
  var questions: [(OpenerQuery, String)] {
    [(.gio, type), (.xdgMime, spelt), (.kde, type)] + (path.map { [(.kdeType, $0)] } ?? [])
  }

  var isTakenAtItsDefaultByThePortal: Bool { PortalChoice.takesDefault(type) }

  func resolution(by resolver: ApplicationResolver) -> Resolution {
    path == nil
      ? resolver.resolve(scheme) : MIMEType(type).map { resolver.resolve($0) } ?? resolver.resolve(scheme)
  }
}
