// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The broker's decision on a URL with its reasons: the result of `org.usher.Broker1.Explain`.
public struct Explanation: Hashable, Sendable {
  /// The decision on a URL.
  public enum Verdict: String, CaseIterable, Sendable {
    /// An application receives it.
    case deliver
    /// An action of an application is performed.
    case perform
    /// A program is run.
    case exec
    /// It is replaced by another URL.
    case rewrite
    /// The user is asked.
    case ask
    /// A rule forbids it.
    case deny
    /// No application opens it.
    case none
  }

  /// `url` s: the URL for display, with `…` for text that a route may treat as secret; absent for a sandboxed caller.
  public var url: String?
  /// `opened-url` s: the URL that is opened, if routes replace the requested one; absent like `url`, if a part is secret, and if nothing opens.
  public var openedURL: String?
  /// `decision` s: the verdict.
  public var verdict: Verdict
  /// `application` s: the desktop-file ID of the application, if there is one; of a question, the application that opens the URL after consent.
  public var application: String?
  /// `message` s: the decision in a sentence.
  public var message: String
  /// `steps` as: the steps that led to the decision, in order.
  public var steps: [String]
  /// `winner` a{sv}: the route that decides; absent if none does.
  public var winner: ExplanationRoute?
  /// `losers` aa{sv}: the other routes that match, in order of precedence, each with `rule` and `message`; at most twenty, and absent if there are none.
  public var losers: [ExplanationRoute] = []
  /// `near-misses` aa{sv}: the routes that nearly match, each with `message`: what does not; absent if there are none.
  public var nearMisses: [ExplanationRoute] = []
  /// `remedy` s: how the question is answered where no prompt can be shown, as a clause; absent unless the user is asked.
  public var remedy: String?
  /// `source-application` s: the source application.
  public var sourceApplication: String?
  /// `assurance` s: the reliability of the source application.
  public var assurance: Assurance
  /// `via` s: the intermediary that hides the source.
  public var via: String?
  /// `remote` s: the machine from which the request came; `nil` for a caller on this machine.
  public var remote: String?
  /// `sandboxed` b: whether the source is in a sandbox, or may be.
  public var mayBeSandboxed = false
  /// `installed` s: the users that can change the source's installed files; absent if unknown.
  public var installedBy: InstalledBy?
  /// `installed-reason` s: the reason for which other users than root can change them.
  public var installedReason: String?
  /// `source-entry` s: the desktop entry that identifies the source; absent for a sandboxed or claimed caller.
  public var sourceEntry: String?
  /// `hidden-entries` as: the entries with this ID that it shadows.
  public var hiddenEntries: [String] = []
  /// `error` s: the error that opening the URL would return.
  public var error: BrokerErrorName?
  /// `scene` s: the scene session in the application that would receive it, if requested and known.
  public var scene: String?
  /// `scene-steps` as: the application's explanation of the scene, in order; empty if it was not requested.
  public var sceneSteps: [String] = []
  /// The option of `Explain` that also requests an explanation from the application.
  public static let inApplication = "in-application"
  /// The option of `Explain` that explains the URL as if the user had clicked it.
  public static let clicked = "clicked"

  /// `diagnostics` as: the diagnostics of the route files, independent of the URL.
  public var diagnostics: [String] = []

  /// Creates an explanation.
  public init(
    _ verdict: Verdict, application: String? = nil, message: String, steps: [String],
    sourceApplication: String? = nil, assurance: Assurance = .unknown, error: BrokerErrorName? = nil
  ) {
    self.verdict = verdict
    self.application = application
    self.message = message
    self.steps = steps
    self.sourceApplication = sourceApplication
    self.assurance = assurance
    self.error = error
  }

  /// The exit code of a command that requested only the decision: 0 if the URL would be opened, also if the user would be asked first.
  public var exitStatus: Int32 {
    if let error { return error.exitStatus }
    switch verdict {
    case .none: return BrokerErrorName.noHandler.exitStatus
    case .deny: return BrokerErrorName.denied.exitStatus
    default: return 0
    }
  }
}

extension Explanation {
  /// The `a{sv}` on the bus.
  public var entries: [String: Variant] {
    var entries: [String: Variant] = [
      "decision": .string(verdict.rawValue), "message": .string(message), "steps": .strings(steps),
      "assurance": .string(assurance.rawValue),
    ]
    entries["url"] = url.map(Variant.string)
    entries["opened-url"] = openedURL.map(Variant.string)
    entries["application"] = application.map(Variant.string)
    entries["winner"] = winner.map { .dictionary($0.entries) }
    entries["losers"] = losers.isEmpty ? nil : Self.list(losers)
    entries["near-misses"] = nearMisses.isEmpty ? nil : Self.list(nearMisses)
    entries["remedy"] = remedy.map(Variant.string)
    entries["source-application"] = sourceApplication.map(Variant.string)
    entries["via"] = via.map(Variant.string)
    entries["remote"] = remote.map(Variant.string)
    entries["sandboxed"] = mayBeSandboxed ? .boolean(true) : nil
    entries["installed"] = installedBy.map { .string($0.rawValue) }
    entries["installed-reason"] = installedReason.map(Variant.string)
    entries["source-entry"] = sourceEntry.map(Variant.string)
    entries["hidden-entries"] = hiddenEntries.isEmpty ? nil : .strings(hiddenEntries)
    entries["error"] = error.map { .string($0.rawValue) }
    entries["diagnostics"] = diagnostics.isEmpty ? nil : .strings(diagnostics)
    entries["scene"] = scene.map(Variant.string)
    entries["scene-steps"] = sceneSteps.isEmpty ? nil : .strings(sceneSteps)
    return entries
  }

  private static func list(_ routes: [ExplanationRoute]) -> Variant {
    .array(of: "a{sv}", routes.map { .dictionary($0.entries) })
  }

  /// Reads the `a{sv}` of the bus; missing or unknown values get a default, because the result is for users.
  public init(_ entries: [String: Variant]) {
    let application = entries["application"]?.string
    let error = entries["error"]?.string.flatMap(BrokerErrorName.init(rawValue:))
    let steps = entries["steps"]?.strings ?? []
    let otherwise: Verdict =
      error == .noHandler ? .none : error == nil && application != nil ? .deliver : .deny
    self.init(
      entries["decision"]?.string.flatMap(Verdict.init(rawValue:)) ?? otherwise, application: application,
      message: entries["message"]?.string ?? steps.last ?? "the broker gives no reason", steps: steps,
      sourceApplication: entries["source-application"]?.string,
      assurance: entries["assurance"]?.string.flatMap(Assurance.init(rawValue:)) ?? .unknown, error: error)
    url = entries["url"]?.string
    openedURL = entries["opened-url"]?.string
    winner = entries["winner"]?.entries.flatMap(ExplanationRoute.init)
    losers = (entries["losers"]?.dictionaries ?? []).compactMap(ExplanationRoute.init)
    nearMisses = (entries["near-misses"]?.dictionaries ?? []).compactMap(ExplanationRoute.init)
    remedy = entries["remedy"]?.string
    via = entries["via"]?.string
    remote = entries["remote"]?.string
    mayBeSandboxed = entries["sandboxed"] == .boolean(true)
    installedBy = entries["installed"]?.string.flatMap(InstalledBy.init(rawValue:))
    installedReason = entries["installed-reason"]?.string
    sourceEntry = entries["source-entry"]?.string
    hiddenEntries = entries["hidden-entries"]?.strings ?? []
    diagnostics = entries["diagnostics"]?.strings ?? []
    scene = entries["scene"]?.string
    sceneSteps = entries["scene-steps"]?.strings ?? []
  }
}
