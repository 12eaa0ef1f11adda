public import DBus

/// What the broker would do with a URL, and why: the result of `org.usher.Broker1.Explain`.
public struct Explanation: Hashable, Sendable {
  /// What becomes of the URL.
  public enum Verdict: String, CaseIterable, Sendable {
    /// An application gets it.
    case deliver
    /// One of an application's actions is performed.
    case perform
    /// A program is run.
    case exec
    /// Another URL takes its place.
    case rewrite
    /// The user is asked.
    case ask
    /// A rule forbids it.
    case deny
    /// Nobody opens it.
    case none
  }

  /// `url` s: the URL as it may be shown, `…` in the place of what may be secret to a route; absent for a sandboxed caller.
  public var url: String?
  /// `decision` s.
  public var verdict: Verdict
  /// `application` s: by desktop-file ID, where it comes to one.
  public var application: String?
  /// `message` s: the decision in a sentence.
  public var message: String
  /// `steps` as: what was looked at, in order.
  public var steps: [String]
  /// `source-application` s: who asks.
  public var sourceApplication: String?
  /// `assurance` s: how surely that is known.
  public var assurance: Assurance
  /// `via` s: a middleman that hides the source.
  public var via: String?
  /// `sandboxed` b: whether the source is in a sandbox, or nobody can say that it is not.
  public var mayBeSandboxed = false
  /// `installed` s: who can change what is installed of the source; absent where it is unknown.
  public var installedBy: InstalledBy?
  /// `installed-reason` s: why others than root can.
  public var installedReason: String?
  /// `source-entry` s: the desktop entry by which the source is identified; absent for a sandboxed caller and for one that is only claimed.
  public var sourceEntry: String?
  /// `hidden-entries` as: the entries with the same ID that this one hides.
  public var hiddenEntries: [String] = []
  /// `error` s: the error that opening it would end with.
  public var error: BrokerErrorName?
  /// `scene` s: the session of the scene inside the application that would get it, where that was asked and is known.
  public var scene: String?
  /// `scene-steps` as: what the application says about that, in order; empty where it was not asked.
  public var sceneSteps: [String] = []
  /// The option of `Explain` that has the application asked.
  public static let inApplication = "in-application"
  /// The option of `Explain` that has the URL explained as if the user had clicked it.
  public static let clicked = "clicked"

  /// `diagnostics` as: what is wrong with the route files, whatever the URL.
  public var diagnostics: [String] = []

  /// An explanation with what is known.
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

  /// What a command exits with that was asked for the decision alone: 0 when something opens the URL.
  public var exitCode: Int32 {
    if let error { return error.exitCode }
    switch verdict {
    case .none: return BrokerErrorName.noHandler.exitCode
    case .deny: return BrokerErrorName.denied.exitCode
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
    entries["application"] = application.map(Variant.string)
    entries["source-application"] = sourceApplication.map(Variant.string)
    entries["via"] = via.map(Variant.string)
    entries["sandboxed"] = mayBeSandboxed ? .boolean(true) : nil
    entries["installed"] = installedBy.map { .string($0.rawValue) }
    entries["installed-reason"] = installedReason.map(Variant.string)
    entries["source-entry"] = sourceEntry.map(Variant.string)
    entries["hidden-entries"] = hiddenEntries.isEmpty ? nil : .strings(hiddenEntries)
    entries["error"] = error.map { .string($0.rawValue) }
    entries["complaints"] = diagnostics.isEmpty ? nil : .strings(diagnostics)
    entries["scene"] = scene.map(Variant.string)
    entries["scene-steps"] = sceneSteps.isEmpty ? nil : .strings(sceneSteps)
    return entries
  }

  /// Reads the `a{sv}` of the bus; it is for people, so what is absent or unknown is made up for.
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
    via = entries["via"]?.string
    mayBeSandboxed = entries["sandboxed"] == .boolean(true)
    installedBy = entries["installed"]?.string.flatMap(InstalledBy.init(rawValue:))
    installedReason = entries["installed-reason"]?.string
    sourceEntry = entries["source-entry"]?.string
    hiddenEntries = entries["hidden-entries"]?.strings ?? []
    diagnostics = entries["complaints"]?.strings ?? []
    scene = entries["scene"]?.string
    sceneSteps = entries["scene-steps"]?.strings ?? []
  }
}
