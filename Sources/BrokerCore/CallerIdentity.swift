// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
import RouteTables

/// The identity of the caller of a request, as far as the decision needs it: its source application, its sandbox, and its claims.
public struct CallerIdentity: Hashable, Sendable {
  /// The source application.
  public var source: SourceApplication
  /// The application whose sandbox the caller is in, as the broker identified it; `nil` outside a sandbox.
  ///
  /// `source` may be a part of it. The caller may claim to be any part, so `source` then grants nothing, and prompts and grants use this
  /// application.
  public var sandbox: SourceApplication?
  /// The container or other sandbox of the caller, if it reveals no application.
  ///
  /// Prompts describe it, and answers are stored for its scope.
  public var container: CallerContainer?
  /// A Boolean value that indicates whether a sign-in of the machine from which the request comes waits for its answer, as its relay states.
  public var signInWaits = false
  /// The origin of the link inside the source, as the caller claims.
  public var origin: String? {
    didSet { comparedOrigin = origin.map(WebOrigin.compared) }
  }
  /// The origin in the form that routes compare.
  ///
  /// It is made once, because mapping its host may take a millisecond, and each table compares it with each URL.
  private var comparedOrigin: String?
  /// A Boolean value that indicates whether the request has an activation token that no earlier request had.
  ///
  /// Such a token shows that the user clicked or pressed something in the source.
  public var isByClick = false

  /// Creates the identity of a caller of which only the source application is known.
  init(source: SourceApplication) { self.source = source }

  /// A Boolean value that indicates whether the request has a credible user activation.
  ///
  /// The claim of a caller that may be sandboxed does not count.
  public var isByUser: Bool { isByClick && !source.mayBeSandboxed }

  /// The source without the claim of a sandboxed caller to be a part of its application.
  ///
  /// Prompts name it.
  public var identifiedSource: SourceApplication { sandbox ?? source }

  /// The application that prompts name and grants are stored for.
  public var questioner: ApplicationID? { identifiedSource.id }

  /// The application that prompts name, if it is verified; otherwise `nil`.
  ///
  /// Limits apply to it, because an unverified name could change with each request, or be that of another application.
  public var verifiedQuestioner: ApplicationID? { source.assurance > .claimed ? questioner : nil }

  /// The application that routes insert into arguments and URLs; `nil` if the source is not known.
  ///
  /// A name that only a sandboxed caller states is not inserted, because another route may grant something to the new URL. In place of a
  /// part that the caller claims to be, its application is inserted.
  var placeholderSource: ApplicationID? {
    source.mayBeSandboxed && source.assurance == .claimed ? nil : questioner
  }

  /// A Boolean value that indicates whether a sandboxed caller makes a claim that nothing verifies.
  ///
  /// These claims are its origin, a name without verification, and the name of a part of its application.
  var hasUnverifiedClaims: Bool {
    source.mayBeSandboxed && (origin != nil || source.assurance == .claimed || source.id != questioner)
  }

  /// The source without its unverified claims: unidentified if only the caller states its name.
  private var verifiedSource: SourceApplication {
    identifiedSource.assurance == .claimed ? .unseen : identifiedSource
  }

  /// Returns the values of the route conditions on the caller, by name.
  ///
  /// - Parameter ignoresClaims: Whether the unverified claims of a sandboxed caller are disregarded.
  func conditionValues(ignoringClaims ignoresClaims: Bool) -> [String: String] {
    let source = ignoresClaims ? verifiedSource : source
    let origin = ignoresClaims ? nil : comparedOrigin
    return [
      RouteCondition.Name.source: source.id?.rawValue ?? "",
      RouteCondition.Name.assurance: source.assurance.rawValue,
      RouteCondition.Name.origin: origin ?? "",
      RouteCondition.Name.userActivation: isByUser ? "clicked" : "",
      RouteCondition.Name.sandboxed: source.mayBeSandboxed ? "yes" : "",
      RouteCondition.Name.remote: source.machine?.name ?? "",
      RouteCondition.Name.installed: source.installedBy?.rawValue ?? "",
    ]
  }
}
