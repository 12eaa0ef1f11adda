public import Freedesktop
public import RouteTables

/// What becomes of one URL, and why.
public struct Decision: Hashable, Sendable {
  /// What becomes of a URL.
  public enum Verdict: Hashable, Sendable {
    /// The application gets it.
    case deliver(TargetApplication)
    /// A program is run for it.
    case run(RouteCommand)
    /// A person has to say first.
    case ask(Question)
    /// Nobody gets it.
    case refuse(Refusal)
  }

  /// The URL that is opened: the one that was asked for, or what routes have made of it.
  public let url: URLString
  /// What becomes of it.
  public let verdict: Verdict
  /// Every step on the way, in order.
  public let explanation: [ExplanationStep]
  /// What a person answered on the way, as the request says: to be kept, where the question is for more than once.
  public let answered: [AnsweredQuestion]
  /// Whether a person was asked about this request, and allowed it; an answer of earlier is none.
  public let isAllowedByPerson: Bool
  /// The URL that was asked for, `…` in the place of what may be secret to a route; `nil` where the decision was not to tell
  /// why, and for a caller that may be sandboxed.
  public let shownURL: String?
}

/// Why a URL is opened by nobody.
public enum Refusal: Hashable, Sendable, CustomStringConvertible {
  /// No application takes this scheme.
  case noHandler(scheme: String)
  /// It is to be opened by an application of its own, and there is none.
  case noUniversalLink
  /// No application takes files of this type.
  case noHandlerOfType(MIMEType)
  /// The file is not there, or cannot be looked at.
  case noFile(path: String, reason: String)
  /// It comes to a file that is not in the request's `fileTypes`: decide again with it.
  case notLookedAt(path: [UInt8])
  /// The application that was asked for is not there.
  case noApplication(String, reason: String)
  /// The application that takes it has no program that could be started.
  case noProgram(String, reason: String)
  /// Something is missing without which nobody can say what is to be done; the sentence says what.
  case incomplete(String)
  /// It cannot be told which host or path the URL names, so that no rule could be applied.
  case unreadable(reason: String)
  /// A rule forbids it.
  case denied(reason: String)
  /// The request went round too often.
  case loop(hops: UInt32)
  /// The link would go where it has just been: these applications, in order.
  case reconnected([ApplicationID])
  /// The source has opened too many links lately.
  case tooOften(source: String)

  /// The sentence a person reads.
  public var description: String {
    switch self {
    case .noHandler(let scheme):
      "no application opens \(scheme): links; “usher register ID --scheme \(scheme)” makes one do so"
    case .noUniversalLink:
      "no application has this link for its own: no route gives it to one, and a browser was not asked for"
    case .incomplete(let sentence): sentence
    case .noHandlerOfType(let type):
      "no application opens \(type) files; “gio mime \(type) ID.desktop” makes one do so"
    case .noFile(let path, let reason): "\(path) cannot be opened: \(reason)"
    case .notLookedAt(let path): "\(String(decoding: path, as: UTF8.self)) was not looked at"
    case .noApplication(let id, let reason): "\(id) cannot open it: \(reason)"
    case .noProgram(let id, let reason): "\(id) takes it and cannot be started: \(reason)"
    case .unreadable(let reason):
      "the link is not opened, because it cannot be read with certainty: \(reason)"
    case .denied(let reason): reason
    case .loop(let hops):
      "the link came back \(hops == 1 ? "once" : "\(hops) times"): what opens it hands it on to Usher again; "
        + "a click of a person opens it anyway"
    case .reconnected(let way):
      "the link goes round: \(way.map(\.rawValue).joined(separator: " → ")); a click of a person opens it anyway"
    case .tooOften(let source):
      """
      \(source) may open \(RateLimiter.most) links within \(RateLimiter.interval.components.seconds) s, and would open more; \
      try again later, or fewer at once
      """
    }
  }
}

/// One step of a decision, for the person who asks why.
public struct ExplanationStep: Hashable, Sendable, CustomStringConvertible {
  /// What the step looked at.
  public enum Subject: String, Sendable {
    /// The request itself.
    case request
    /// A layer of route files.
    case routes
    /// An application the desktop's files name.
    case candidate
    /// The result.
    case verdict
  }
  /// What it looked at.
  public let subject: Subject
  /// What it found, with file and line where there is one.
  public let text: String

  init(_ subject: Subject, _ text: String) {
    self.subject = subject
    self.text = text
  }

  /// What it found.
  public var description: String { text }
}
