// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import RouteFiles
import RouteTables

/// An explanation, with its author: the broker or this process.
struct ExplanationReport {
  private let url: URLString
  private let explanation: Explanation
  /// The reason why the broker was not asked; `nil` if it was.
  private let obstacle: String?
  private let diagnostics: [String]

  /// Asks the broker, which decides in the user manager's environment; decides here if it cannot be reached.
  ///
  /// - Parameters:
  ///   - corrected: the URL; its corrections are the first steps.
  ///   - request: the options of the request; those that do not affect the decision are ignored.
  ///   - caller: the caller for which to decide; `nil` for this command.
  ///   - isClicked: `true` to decide as if the user had clicked the URL.
  ///   - inApplication: `true` to ask the application as well, which only the broker can.
  init(
    _ corrected: CorrectedURL, _ request: OpenOptions, as caller: ExplainedCaller? = nil,
    isClicked: Bool = false,
    inApplication: Bool = false
  ) {
    url = corrected.url
    var explanation: Explanation
    do throws(BrokerConnection.Failure) {
      explanation = try Self.askBroker(
        url, request, as: caller, isClicked: isClicked, inApplication: inApplication)
      obstacle = nil
      diagnostics = explanation.diagnostics
    } catch {
      let local = LocalPolicy()
      explanation = local.explain(url, request, as: caller, isClicked: isClicked)
      if inApplication {
        explanation.sceneSteps = ["only the broker can ask an application about its scenes"]
      }
      obstacle =
        switch error {
        case .unreachable(let reason): reason
        case .answered(let error): "the broker replied with an error: \(error.message)"
        }
      diagnostics = local.diagnostics.map(\.description)
    }
    explanation.steps.insert(contentsOf: corrected.corrections.map(\.description), at: 0)
    self.explanation = explanation
  }

  private static func askBroker(
    _ url: URLString, _ request: OpenOptions, as caller: ExplainedCaller?, isClicked: Bool,
    inApplication: Bool
  ) throws(BrokerConnection.Failure) -> Explanation {
    var options = OpenOptions()
    options.sourceApplication = request.sourceApplication
    options.origin = request.origin
    options.target = request.target
    options.universalLinksOnly = request.universalLinksOnly
    options.targetContentID = request.targetContentID
    if inApplication { options.others[Explanation.inApplication] = true }
    if isClicked { options.others[Explanation.clicked] = true }
    options.others.merge(caller?.entries ?? [:]) { $1 }
    let entries = try BrokerConnection().ask { bus throws(BusError) in
      try bus.call(
        BrokerInterface.explain, at: BrokerInterface.broker, url.text, options.entries,
        timeout: BusConnection.defaultTimeout)
    }
    return Explanation(entries)
  }

  var exitStatus: Int32 { explanation.exitStatus }

  /// The URL, without the parts that routes mark as secret.
  var shownURL: String { explanation.url ?? url.text }

  /// The verdict as a sentence.
  var message: String { explanation.message }

  /// The error with which opening the URL would fail; `nil` if an application opens it.
  var failure: BrokerErrorName? {
    if let error = explanation.error { return error }
    switch explanation.verdict {
    case .none: return .noHandler
    case .deny: return .denied
    default: return nil
    }
  }

  /// A Boolean value that indicates whether an application opens the URL, or none is registered for it.
  var mayBeLeftToDefaults: Bool {
    switch explanation.verdict {
    case .deliver, .none: explanation.error != .denied && explanation.error != .invalidURL
    case .perform, .exec, .rewrite, .ask, .deny: false
    }
  }

  /// The application that opens the URL.
  var application: String? { explanation.application }

  /// The broker's keys, `url`, and `decided-by`: `broker`, or `usher` with `obstacle`.
  var entries: [String: Variant] {
    var entries = explanation.entries
    entries["url"] = .string(shownURL)
    entries["decided-by"] = .string(obstacle == nil ? "broker" : "usher")
    entries["obstacle"] = obstacle.map(Variant.string)
    entries["diagnostics"] = diagnostics.isEmpty ? nil : .strings(diagnostics)
    return entries
  }

  /// The color of the verdict.
  private var emphasis: StyledText.Emphasis {
    switch explanation.verdict {
    case .deny, .none: .bad
    case .ask: .open
    default: explanation.error == nil ? .good : .bad
    }
  }

  /// A line about the desktop entry of the source and its owner; `nil` if the source is not identified by one.
  private var installedLine: String? {
    guard let owner = explanation.installedBy, explanation.assurance >= .executable else { return nil }
    var line = "by the \(owner.rawValue)"
    if let entry = explanation.sourceEntry {
      line += ", \(entry)"
      if !explanation.hiddenEntries.isEmpty {
        line += ", which hides \(explanation.hiddenEntries.joined(separator: ", "))"
      }
    }
    return line + (explanation.installedReason.map { " (\($0))" } ?? "")
  }

  /// Prints the source, every step in order, the verdict, and `notes` on it.
  func print(with notes: [String] = []) {
    for diagnostic in diagnostics { Console.warn(diagnostic) }
    Console.print(StyledText(shownURL, as: .heading).inOneLine)
    let source = explanation.sourceApplication.map { "\($0) (\(explanation.assurance.rawValue))" }
    let via =
      explanation.via.map { ", behind \($0)" } ?? explanation.remote.map {
        ", on \(RemoteMachine.title(ofMachineNamed: $0))"
      } ?? ""
    let box = explanation.mayBeSandboxed ? ", treated as sandboxed" : ""
    Console.print("  source: \(source ?? "unknown")\(via)\(box)")
    if let installed = installedLine { Console.print("  installed: \(installed)") }
    let isVerdict = explanation.steps.last == explanation.message
    for (index, step) in (isVerdict ? explanation.steps.dropLast() : explanation.steps[...]).enumerated() {
      Console.print("  \(index + 1). \(step)")
    }
    if let opened = explanation.openedURL { Console.print("  opened as: \(opened)") }
    Console.print("  \("verdict:", as: emphasis) \(explanation.message)")
    if explanation.verdict == .ask {
      if let application { Console.print("  after consent: \(application) opens it") }
      if let remedy = explanation.remedy { Console.print("  without a prompt: \(remedy)") }
    }
    if !explanation.sceneSteps.isEmpty || explanation.scene != nil {
      Console.print("  in \(explanation.application ?? "the application"):")
      for (index, step) in explanation.sceneSteps.enumerated() { Console.print("    \(index + 1). \(step)") }
      if let scene = explanation.scene { Console.print("    scene: \(scene)") }
    }
    for note in notes { Console.print("  \(note)") }
    if let obstacle { Console.print("  decided by this command, in its own environment: \(obstacle)") }
  }
}

extension LocalPolicy {
  /// Decides as the broker would, in the environment of this process.
  fileprivate func explain(
    _ url: URLString, _ request: OpenOptions, as caller: ExplainedCaller?, isClicked: Bool
  ) -> Explanation {
    var source =
      caller.map { SourceApplication($0, $0.application.flatMap(UserEnvironment.application)) }
      ?? LocalPolicy.source(claimed: request.sourceApplication)
    var installation: Installation?
    if caller?.installedBy == nil, let id = source.id {
      let found = rules.installation(of: id)
      source = source.installed(by: found.owner)
      installation = found
    }
    let target = request.target.flatMap(UserEnvironment.application)
    var asked = OpenRequest(urls: [url], source: source, target: target)
    asked.caller.origin = request.origin
    asked.caller.isByClick = isClicked
    asked.isUniversalLinksOnly = request.universalLinksOnly
    var explanation = Explanation(rules.broker.decide(url, of: asked, tellsWhy: true), source: source)
    explanation.describe(installation, of: source)
    return explanation
  }
}
