public import BrokerCore
public import BusInterfaces
import Freedesktop

extension BrokerErrorName {
  /// The error that a refusal is told by.
  public init(_ refusal: Refusal) {
    switch refusal {
    case .noHandler, .noApplication: self = .noHandler
    case .noProgram: self = .launchFailed
    case .denied: self = .denied
    case .loop: self = .loop
    }
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
        .deliver, application: target.id.rawValue, message: steps.last ?? "\(target.id) opens it",
        steps: steps,
        sourceApplication: source.id?.rawValue, assurance: assurance)
    case .refuse(let refusal):
      let error = BrokerErrorName(refusal)
      self.init(
        error == .denied ? .deny : .none, message: refusal.description, steps: steps,
        sourceApplication: source.id?.rawValue, assurance: assurance, error: error)
    }
  }
}
