public import BrokerCore
public import BusInterfaces
public import Freedesktop

extension BrokerErrorName {
  /// The error that a refusal is told by.
  public init(_ refusal: Refusal) {
    switch refusal {
    case .noHandler, .noUniversalLink, .noHandlerOfType, .noFile, .notLookedAt, .noApplication:
      self = .noHandler
    case .noProgram: self = .launchFailed
    case .incomplete: self = .invalidRequest
    case .unreadable: self = .invalidURL
    case .denied: self = .denied
    case .loop, .cameBack: self = .loop
    case .tooOften: self = .tooMany
    }
  }
}

extension PersonsPart {
  /// What a person did for a share of a request; `nil` where nobody is known to have done anything.
  public init?(_ share: RequestShare, of request: OpenRequest) {
    if share.isAllowedByPerson {
      self = .allowed
    } else if request.isByPerson {
      self = .clicked
    } else {
      return nil
    }
  }
}

extension SourceApplication {
  /// The source of a request that `caller`, the application `id`, would make.
  public init(_ caller: ExplainedCaller, _ id: ApplicationID?) {
    let assurance = BrokerCore.Assurance(rawValue: caller.assurance.rawValue) ?? .unknown
    let source = id.map { SourceApplication($0, assurance) } ?? .unknown
    self = caller.isSandboxed ? source.sandboxed : source
  }
}

extension Explanation {
  /// The explanation of `decision` for a request from `source`.
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
        verdict, message: decision.verdict.description, steps: steps, sourceApplication: source.id?.rawValue,
        assurance: assurance)
    case .refuse(let refusal):
      let error = BrokerErrorName(refusal)
      self.init(
        error == .denied ? .deny : .none, message: refusal.description, steps: steps,
        sourceApplication: source.id?.rawValue, assurance: assurance, error: error)
    }
    url = decision.shownURL
    via = source.via?.rawValue
    mayBeSandboxed = source.mayBeSandboxed
  }
}

extension Delivery {
  /// What becomes of `share` where nobody gets it yet: it is refused, or a person has to say first.
  public init?(unopened share: RequestShare) {
    switch share.verdict {
    case .deliver, .run: return nil
    case .refuse(let refusal):
      self.init(
        application: nil, outcome: .failed, error: BrokerErrorName(refusal).errorName,
        message: refusal.description)
    case .ask(let question):
      self.init(
        application: nil, outcome: .failed, error: BrokerErrorName.denied.errorName,
        message: question.unaskedMessage)
      choices = question.choices.map(\.rawValue)
      urls = share.texts
    }
  }
}
