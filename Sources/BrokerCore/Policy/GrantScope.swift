// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
public import RouteTables

/// A route that prompts the user, identified by its layer, its owner and its ID.
public struct PromptingRoute: Hashable, Sendable {
  /// The layer of the route; the administrator's final routes have a layer of their own.
  public let rank: PolicyLayer
  /// The name as `owner/id`, or the ID alone if the file has no owner.
  public let name: String

  /// Creates a route from its layer and name.
  public init(rank: PolicyLayer, name: String) {
    self.rank = rank
    self.name = name
  }

  /// Creates the identification of a route of a table.
  init(_ route: Route<RouteAction>) {
    self.init(rank: route.rank, name: route.owner.isEmpty ? route.id : "\(route.owner)/\(route.id)")
  }
}

extension PolicyLayer {
  /// The name of the layer in grants: `final`, `user`, `administrator` or `vendor`; `cleaning` for routes that never ask.
  public var layer: String {
    switch self {
    case .finalAdministrator: "final"
    case .cleaning: "cleaning"
    case .user: "user"
    case .administrator: "administrator"
    case .vendor: "vendor"
    }
  }

  /// Creates the layer with the given name; `nil` if there is none.
  public init?(layer: String) {
    guard let rank = Self.allCases.first(where: { $0.layer == layer }) else { return nil }
    self = rank
  }
}

/// The URLs and callers that a grant covers: those for which one rule prompts, with equal values for all set parts.
///
/// A part that is `nil` matches anything. A grant applies only to its exact scope: a grant for an application and a
/// scheme does not cover another application, a grant for a route does not cover another route, and a grant for a
/// caller outside a sandbox does not cover a caller inside one.
public struct GrantScope: Hashable, Sendable {
  /// The rule that prompts.
  public enum Asker: Hashable, Sendable {
    /// The broker's own policy for sandboxed applications or web pages.
    case policy
    /// This route.
    case route(PromptingRoute)
    /// The broker's own policy for this permission of an application, which does not concern links.
    case permission(Permission)
  }

  /// The rule that prompts.
  public var asker: Asker
  /// A Boolean value that indicates whether the caller may be sandboxed.
  public var isSandboxed: Bool
  /// The source application.
  public var source: ApplicationID?
  /// The container of a caller that no application identifies.
  public var container: ContainerScope?
  /// The machine from which the request came; `nil` for a caller here.
  public var machine: RemoteMachine?
  /// The web origin of the link.
  public var origin: WebOrigin?
  /// The scheme of the URL.
  public var scheme: String?
  /// The host of the URL in lower case.
  public var host: String?

  /// Creates a scope of these parts.
  public init(
    source: ApplicationID? = nil, container: ContainerScope? = nil, machine: RemoteMachine? = nil,
    origin: WebOrigin? = nil, scheme: String? = nil, host: String? = nil,
    askedBy asker: Asker = .policy, isSandboxed: Bool
  ) {
    self.asker = asker
    self.isSandboxed = isSandboxed
    self.source = source
    self.container = container
    self.machine = machine
    self.origin = origin
    self.scheme = scheme
    self.host = host
  }

  /// Creates the scope of the answer whether an application has a permission, in a sandbox and outside one.
  public init(_ permission: Permission, of application: ApplicationID) {
    self.init(source: application, askedBy: .permission(permission), isSandboxed: false)
  }

  /// Creates the scope that a route sets for its answers.
  ///
  /// `nil` if the route sets no scope, or if the scope needs a source and neither the caller nor its container is
  /// identified: two unidentified callers cannot be assumed to be the same. `nil` also if the scope needs a host and
  /// the URL has none. An answer about a request from another machine applies to that machine alone, whatever the keys are.
  init?(
    _ keys: [RouteAction.AnswerKey], route: PromptingRoute, _ url: URLString, from questioner: ApplicationID?,
    in container: ContainerScope?, on machine: RemoteMachine?, isSandboxed: Bool
  ) {
    guard !keys.isEmpty else { return nil }
    self.init(machine: machine, askedBy: .route(route), isSandboxed: isSandboxed)
    for key in keys {
      switch key {
      case .source:
        guard questioner != nil || container != nil || machine != nil else { return nil }
        source = questioner
        if questioner == nil { self.container = container }
      case .scheme: scheme = url.scheme
      case .host:
        guard let host = url.host else { return nil }
        self.host = host
      // Every answer to a route is stored for that route only, so this key adds nothing.
      case .route: break
      }
    }
  }
}

/// The user's answer to a question.
public enum Answer: Hashable, Sendable {
  /// The URL may be opened.
  case yes
  /// The URL may not be opened.
  case no
  /// This application opens the URL.
  case application(ApplicationID)

  /// The answer on the bus and in the state file: `yes`, `no`, or the ID of the application.
  public var text: String {
    switch self {
    case .yes: Question.consent
    case .no: Question.refusal
    case .application(let id): id.rawValue
    }
  }

  /// Parses an answer; `nil` if `text` is invalid.
  public init?(_ text: String) {
    switch text {
    case Question.consent: self = .yes
    case Question.refusal: self = .no
    default:
      guard let id = ApplicationID(rawValue: text) else { return nil }
      self = .application(id)
    }
  }

  /// Parses the answer of a user, who may name the application by its desktop file; `nil` if `text` is invalid.
  public init?(_ text: String, _ catalog: ApplicationCatalog) {
    self.init(text)
    guard case .application = self, let id = catalog.id(spelled: text) else { return }
    self = .application(id)
  }
}

/// A stored answer that has not expired.
public struct Grant: Hashable, Sendable {
  /// The scope of the answer.
  public let scope: GrantScope
  /// The answer.
  public let answer: Answer
  /// The minimum assurance of the source, if the scope includes a source.
  public let assurance: Assurance

  /// The time at which the grant expires, in microseconds since 1970; `nil` if it does not expire.
  public let expires: Int64?

  /// Creates a grant.
  public init(_ scope: GrantScope, _ answer: Answer, assurance: Assurance, expires: Int64? = nil) {
    self.scope = scope
    self.answer = answer
    self.assurance = assurance
    self.expires = expires
  }

  /// The day on which the grant expires, in UTC, such as `2026-12-27`; `nil` if it does not expire.
  public var lastDay: String? {
    guard let expires else { return nil }
    let (microsecondsOfDay, daysOfEra): (Int64, Int64) = (86_400_000_000, 146_097)
    // The years begin with March, so that the day of a leap year is the last one of its year.
    let day = expires / microsecondsOfDay + 719_468
    let (era, dayOfEra) = (day / daysOfEra, day % daysOfEra)
    let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(era * 400 + year + (month < 10 ? 0 : 1))-\(padded(month < 10 ? month + 3 : month - 9))"
      + "-\(padded(dayOfYear - (153 * month + 2) / 5 + 1))"
  }

  /// The default lifetime of a grant in days.
  public static let days = 30
}
