/// The rule by which one of two routes that match comes before the other, the first that decides.
public enum PrecedenceRule: Hashable, Sendable {
  /// Its layer comes first.
  case layer(PolicyLayer, over: PolicyLayer)
  /// It says so: `wins_over`.
  case winsOver
  /// It is a final route that denies, and the other does not deny.
  case denies
  /// It is narrower: the other takes all that it takes, and more.
  case narrower
  /// Neither is narrower, and it comes first at the first difference from the left.
  case leftmost(FirstDifference)
  /// Nobody can say whether one is narrower, and then the first difference from the left decides as well.
  case undecided(FirstDifference, UndecidedReason)
  /// Both take the same, and it comes first in the order of folders, owners and IDs.
  case owners
  /// It comes before a third route, which comes before the other; `nil` where no single one is to name.
  case inTurn(of: String?)
}

extension PrecedenceRule: CustomStringConvertible {
  /// The rule in words, told of the one that comes second.
  public var description: String {
    switch self {
    case .layer(let own, let other): "\(own.sentence) come before \(other.sentence)"
    case .winsOver: "the winner says `wins_over`"
    case .denies:
      "the winner denies, and among the administrator's final routes a denial comes before all else"
    case .narrower: "the winner is narrower: this one takes all that it takes, and more"
    case .leftmost(let difference): "neither is narrower; \(difference)"
    case .undecided(let difference, let reason):
      "whether one is narrower could not be decided: \(reason); the first difference decides then: \(difference)"
    case .owners: "both take the same; the winner is first by folder, owner and name"
    case .inTurn(let id?): "the winner comes before `\(id)`, which comes before this one"
    case .inTurn(nil): "other routes, which `wins_over` put in order, stand between them"
    }
  }

  /// The rule's name, for a program.
  public var name: String {
    switch self {
    case .layer: "layer"
    case .winsOver: "wins-over"
    case .denies: "denies"
    case .narrower: "narrower"
    case .leftmost: "leftmost"
    case .undecided: "undecided"
    case .owners: "owners"
    case .inTurn: "in-turn"
    }
  }
}

extension PolicyLayer {
  /// Whose routes, as a sentence says it.
  var sentence: String {
    switch self {
    case .finalAdministrator: "the administrator's final routes"
    case .user: "the user's routes"
    case .administrator: "the administrator's routes"
    case .vendor: "the routes of programs"
    }
  }
}
