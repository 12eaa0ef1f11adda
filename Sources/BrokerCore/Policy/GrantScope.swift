public import Freedesktop
public import RouteTables

/// A route that asks a person, by what no other route shares: its layer, its owner and its ID.
public struct PromptingRoute: Hashable, Sendable {
  /// Its layer; the administrator's final routes are one of their own.
  public let rank: PolicyLayer
  /// Its name, as `owner/id`; the ID alone where the file names no owner.
  public let name: String

  /// The route of this name.
  public init(rank: PolicyLayer, name: String) {
    self.rank = rank
    self.name = name
  }

  /// The route that this one of a table is.
  init(_ route: Route<RouteAction>) {
    self.init(rank: route.rank, name: route.owner.isEmpty ? route.id : "\(route.owner)/\(route.id)")
  }
}

extension PolicyLayer {
  /// The layer in the words of grants: `final`, `user`, `administrator` or `vendor`.
  public var layer: String {
    switch self {
    case .finalAdministrator: "final"
    case .user: "user"
    case .administrator: "administrator"
    case .vendor: "vendor"
    }
  }

  /// The rank whose layer has this name.
  public init?(layer: String) {
    guard let rank = Self.allCases.first(where: { $0.layer == layer }) else { return nil }
    self = rank
  }
}

/// The links that a person's answer is kept for: those about which the same rule asks, with all of these parts the same.
///
/// A part that is `nil` does not matter. An answer counts for just the scope it was given for: one about an application
/// and a scheme is none about that scheme from another application, one to a route is none to another route, and one about a
/// caller outside a sandbox is none about a caller inside one.
public struct GrantScope: Hashable, Sendable {
  /// The rule that asks.
  public enum Asker: Hashable, Sendable {
    /// Usher's own rule, for sandboxed applications or for pages of the web.
    case policy
    /// This route.
    case route(PromptingRoute)
  }

  /// The rule that asks.
  public var asker: Asker
  /// Whether the caller is in a sandbox, or nothing shows that it is not.
  public var isSandboxed: Bool
  /// The application that asks.
  public var source: ApplicationID?
  /// The web origin that asks.
  public var origin: WebOrigin?
  /// The URL's scheme.
  public var scheme: String?
  /// The URL's host, in lower case.
  public var host: String?

  /// A scope of these parts.
  public init(
    source: ApplicationID? = nil, origin: WebOrigin? = nil, scheme: String? = nil, host: String? = nil,
    askedBy asker: Asker = .policy, isSandboxed: Bool
  ) {
    self.asker = asker
    self.isSandboxed = isSandboxed
    self.source = source
    self.origin = origin
    self.scheme = scheme
    self.host = host
  }

  /// The scope that a route names for a question about `url` from `source`; `nil` where it names none, or one that cannot
  /// be told again: nobody is the same nobody twice.
  init?(
    _ keys: [RouteAction.AnswerKey], route: PromptingRoute, _ url: URLString, from questioner: ApplicationID?,
    isSandboxed: Bool
  ) {
    guard !keys.isEmpty else { return nil }
    self.init(askedBy: .route(route), isSandboxed: isSandboxed)
    for key in keys {
      switch key {
      case .source:
        guard let questioner else { return nil }
        source = questioner
      case .scheme: scheme = url.scheme
      case .host:
        guard let host = url.host else { return nil }
        self.host = host
      // Every answer to a route is kept for that route alone.
      case .route: break
      }
    }
  }
}

/// What a person says to a question.
public enum Answer: Hashable, Sendable {
  /// It may be opened.
  case yes
  /// It may not.
  case no
  /// This application opens it.
  case application(ApplicationID)

  /// What it is on the bus and in the state file: `yes`, `no`, or the application's ID.
  public var text: String {
    switch self {
    case .yes: Question.consent
    case .no: Question.refusal
    case .application(let id): id.rawValue
    }
  }

  /// Reads what `text` gives; `nil` for what is no answer.
  public init?(_ text: String) {
    switch text {
    case Question.consent: self = .yes
    case Question.refusal: self = .no
    default:
      guard let id = ApplicationID(rawValue: text) else { return nil }
      self = .application(id)
    }
  }

  /// Reads what a user wrote, which may name the application by its file; `nil` for what is no answer.
  public init?(_ text: String, _ catalog: ApplicationCatalog) {
    self.init(text)
    guard case .application = self, let id = catalog.id(spelled: text) else { return }
    self = .application(id)
  }
}

/// An answer that was kept and still holds.
public struct Grant: Hashable, Sendable {
  /// What it is kept for.
  public let scope: GrantScope
  /// What was said.
  public let answer: Answer
  /// How surely the source has to be known, where the scope names one.
  public let assurance: Assurance

  /// An answer that holds.
  public init(_ scope: GrantScope, _ answer: Answer, assurance: Assurance) {
    self.scope = scope
    self.answer = answer
    self.assurance = assurance
  }

  /// The days that an answer is kept where nothing else is said.
  public static let days = 30
}
