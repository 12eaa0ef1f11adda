// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// The first rule that decides the precedence of two matching routes.
public enum PrecedenceRule: Hashable, Sendable {
  /// The winner's policy layer comes first.
  case layer(PolicyLayer, over: PolicyLayer)
  /// The winner has a `wins_over` rule for the other route.
  case winsOver
  /// The winner is a final route that denies, and the other does not deny.
  case denies
  /// The winner is a final route of the administrator's own directory, and the other is one of another directory.
  case directory
  /// The winner is narrower: the other matches all requests that the winner matches, and more.
  case narrower
  /// Neither is narrower, and the winner comes first at the first difference.
  case firstDifference(FirstDifference)
  /// The analysis could not decide whether one is narrower, so the first difference decides.
  case undecided(FirstDifference, UndecidedReason)
  /// Both match the same requests, and the winner comes first in the order of directories, owners and IDs.
  case owners
  /// The winner precedes a third route, which precedes the other; `nil` if no single route can be named.
  case transitive(of: String?)
}

extension PrecedenceRule: CustomStringConvertible {
  /// A sentence about the route that lost.
  public var description: String {
    switch self {
    case .layer(let own, let other): "\(own.sentence) come before \(other.sentence)"
    case .winsOver: "the winner has `wins_over`"
    case .denies:
      "the winner denies, and denials take precedence among the administrator's final routes"
    case .directory:
      "the winner is in the administrator's own directory, whose final routes come before those of other directories"
    case .narrower: "the winner is narrower: this route matches all its URLs and more"
    case .firstDifference(let difference): "neither is narrower; \(difference)"
    case .undecided(let difference, let reason):
      "cannot decide whether one is narrower (\(reason)), so the first difference decides: \(difference)"
    case .owners: "both match the same URLs; the winner is first by directory, owner and ID"
    case .transitive(let id?): "the winner precedes `\(id)`, which precedes this route"
    case .transitive(nil): "the order follows from other routes with `wins_over`"
    }
  }

  /// The name of the rule in machine-readable output.
  public var name: String {
    switch self {
    case .layer: "layer"
    case .winsOver: "wins-over"
    case .denies: "denies"
    case .directory: "directory"
    case .narrower: "narrower"
    case .firstDifference: "first-difference"
    case .undecided: "undecided"
    case .owners: "owners"
    case .transitive: "transitive"
    }
  }
}

extension PolicyLayer {
  /// The routes of the layer, as a phrase for use in a sentence.
  var sentence: String {
    switch self {
    case .finalAdministrator: "the administrator's final routes"
    case .cleaning: "the routes that clean links first"
    case .user: "the user's routes"
    case .administrator: "the administrator's routes"
    case .vendor: "the routes of applications"
    }
  }
}
