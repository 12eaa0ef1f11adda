public import Freedesktop
import RouteTables

/// What a person's answer is kept for: whatever comes again with all of these parts the same.
///
/// A part that is `nil` does not matter. An answer counts for just the scope it was given for: one about an application
/// and a scheme is none about that scheme, whoever asks.
public struct AnswerScope: Hashable, Sendable {
  /// The application that asks.
  public var source: ApplicationID?
  /// The web origin that asks.
  public var origin: WebOrigin?
  /// The URL's scheme.
  public var scheme: String?
  /// The URL's host, in lower case.
  public var host: String?
  /// The route that asks.
  public var route: String?

  /// A scope of these parts.
  public init(
    source: ApplicationID? = nil, origin: WebOrigin? = nil, scheme: String? = nil, host: String? = nil,
    route: String? = nil
  ) {
    self.source = source
    self.origin = origin
    self.scheme = scheme
    self.host = host
    self.route = route
  }

  /// The scope that a route names for a question about `url` from `source`; `nil` where it names none, or one that cannot
  /// be told again: nobody is the same nobody twice.
  init?(_ keys: [RouteAction.AnswerKey], route: String, _ url: URLString, from questioner: ApplicationID?) {
    guard !keys.isEmpty else { return nil }
    self.init()
    for key in keys {
      switch key {
      case .source:
        guard let questioner else { return nil }
        source = questioner
      case .scheme: scheme = url.scheme
      case .host:
        guard let host = url.host else { return nil }
        self.host = host
      case .route: self.route = route
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
  public let scope: AnswerScope
  /// What was said.
  public let answer: Answer
  /// How surely the source has to be known, where the scope names one.
  public let assurance: Assurance

  /// An answer that holds.
  public init(_ scope: AnswerScope, _ answer: Answer, assurance: Assurance) {
    self.scope = scope
    self.answer = answer
    self.assurance = assurance
  }

  /// The days that an answer is kept where nothing else is said.
  public static let days = 30
}
