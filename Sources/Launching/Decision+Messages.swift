// SPDX-License-Identifier: Apache-2.0
public import BrokerCore
public import BusInterfaces
public import Freedesktop

extension BrokerErrorName {
  /// Creates the error name for a rejection.
  public init(_ refusal: Refusal) {
    switch refusal {
    case .noHandler, .noUniversalLink, .noHandlerOfType, .noFile, .notExamined, .browsersNotListed,
      .noApplication:
      self = .noHandler
    case .noProgram: self = .launchFailed
    case .incomplete: self = .invalidRequest
    case .unreadable: self = .invalidURL
    case .denied, .declined: self = .denied
    case .tooManyHops, .endlessRewrite, .wrappedTooDeeply, .redirectLoop: self = .loop
    case .tooOften: self = .tooMany
    }
  }
}

extension UserActivation {
  /// Creates the user activation of a group of URLs; `nil` if none is known.
  public init?(_ group: RequestGroup, of request: OpenRequest) {
    if group.isAllowedByUser {
      self = .allowed
    } else if request.caller.isByUser {
      self = .clicked
    } else {
      return nil
    }
  }
}

extension SourceApplication {
  /// Creates the source of a request that `caller`, the application `id`, would send.
  public init(_ caller: ExplainedCaller, _ id: ApplicationID?) {
    let assurance = BrokerCore.Assurance(rawValue: caller.assurance.rawValue) ?? .unknown
    if let machine = caller.remote.flatMap({ RemoteMachine($0) }) {
      self = .remote(machine)
      return
    }
    let source = id.map { SourceApplication($0, assurance) } ?? .unknown
    let installed = source.installed(by: caller.installedBy == .system ? .system : .user)
    self = caller.isSandboxed ? installed.sandboxed : installed
  }
}

extension ExplanationRoute {
  /// Creates the route of an explanation for a route of a decision.
  fileprivate init(_ route: InvolvedRoute) {
    let (rule, message): (String?, String?) =
      switch route.part {
      case .winner: (nil, nil)
      case .loser(let rule, let sentence): (rule, sentence)
      case .nearMiss(let sentence): (nil, sentence)
      }
    self.init(
      id: route.id, owner: route.owner, pattern: route.pattern, file: route.file,
      line: Int64(route.line), column: Int64(route.column), rule: rule, message: message)
  }
}

extension Explanation {
  /// Creates the explanation of `decision` for a request from `source`.
  public init(_ decision: Decision, source: SourceApplication) {
    let steps = decision.explanation.map(\.text)
    let assurance = BusInterfaces.Assurance(rawValue: source.assurance.rawValue) ?? .unknown
    switch decision.verdict {
    case .deliver(let target):
      self.init(
        target.desktopAction == nil ? .deliver : .perform, application: target.id.rawValue,
        message: decision.verdict.description, steps: steps, sourceApplication: source.id?.rawValue,
        assurance: assurance)
    case .run, .ask:
      var verdict = Verdict.exec
      if case .ask = decision.verdict { verdict = .ask }
      self.init(
        verdict, application: decision.applicationAfterConsent?.rawValue,
        message: decision.verdict.description,
        steps: steps, sourceApplication: source.id?.rawValue,
        assurance: assurance)
    case .refuse(let refusal):
      let error = BrokerErrorName(refusal)
      self.init(
        error == .denied ? .deny : .none, message: refusal.description, steps: steps,
        sourceApplication: source.id?.rawValue, assurance: assurance, error: error)
    }
    for route in decision.routes {
      switch route.part {
      case .winner: winner = ExplanationRoute(route)
      case .loser: losers.append(ExplanationRoute(route))
      case .nearMiss: nearMisses.append(ExplanationRoute(route))
      }
    }
    if case .ask(let question) = decision.verdict { remedy = question.remedy }
    url = decision.shownURL
    openedURL = decision.openedURL
    via = source.via?.rawValue
    remote = source.machine?.name
    mayBeSandboxed = source.mayBeSandboxed
    installedBy = source.installedBy.flatMap { InstalledBy(rawValue: $0.rawValue) }
  }

  /// Adds the files that identify `source`.
  ///
  /// Nothing is added for a source that may be sandboxed, which must not learn of them, or for one that is only
  /// claimed.
  public mutating func describe(_ installation: Installation?, of source: SourceApplication) {
    guard let installation, !source.mayBeSandboxed, source.assurance >= .executable else { return }
    sourceEntry = installation.entry
    hiddenEntries = installation.hiddenEntries
    installedReason = installation.weakness
  }
}

extension Delivery {
  /// Creates the delivery of a group that is not delivered: it is rejected, or needs an answer of the user.
  ///
  /// `nil` for other groups.
  ///
  /// - Parameter text: The text of the question; without it, the IDs of applications stand for their titles.
  public init?(unopened group: RequestGroup, _ text: QuestionText? = nil) {
    switch group.verdict {
    case .deliver, .run: return nil
    case .refuse(let refusal):
      self.init(
        application: nil, outcome: .failed, error: BrokerErrorName(refusal).errorName,
        message: refusal.description.shortened(toBytes: Self.maximumText))
      if case .declined = refusal { wasAsked = true }
    case .ask(let question):
      self.init(
        application: nil, outcome: .failed, error: BrokerErrorName.denied.errorName,
        message: question.unaskedMessage.shortened(toBytes: Self.maximumText))
      // The broker ignores the answer of a sandboxed caller, so that its terminal must not ask.
      guard !question.source.mayBeSandboxed else { return }
      choices = question.choices.map(\.rawValue)
      let text = text ?? QuestionText(question, opener: nil, title: { _ in nil })
      self.question = question.choices.isEmpty ? text.body : "\(text.summary)\n\(text.body)"
      if !question.choices.isEmpty { titles = text.options.dropLast().map(\.label) }
      urls = group.texts
    }
  }
}
