/// What registering or unregistering will do to the files, decided and checked before anything is written.
public struct RegistrationPlan: Hashable, Sendable {
  /// The application that is concerned; `nil` when there is nothing to unregister.
  public let application: ApplicationID?
  /// The schemes that are concerned: those to be registered, or those we were still in.
  public let schemes: [URLScheme]
  /// Whether the application is the default itself, without Usher before it.
  public let isDirect: Bool
  /// The application's Exec line; `nil` when it has none, or there is nothing to register.
  public let exec: String?
  /// Who opened each of the schemes before; absent where nobody did.
  public let formers: [URLScheme: ApplicationID]
  /// The edits, in an order that never leaves a default without its entry.
  public let edits: FileEdits
  /// What in the application's Exec line may not work with other launchers.
  public let warnings: [ExecLine.Warning]
  /// The copy whose edits by hand are written over; `nil` when nothing is lost.
  public var lostEdits: String?
  /// Where our own resolver will not answer as intended once the edits are made; empty when all is well.
  public let disagreements: [Disagreement]
  /// Whether the application is to be the default; otherwise it only says that it can open the schemes.
  public var setsDefault = true

  /// A scheme that somebody else still has, although everything was written.
  public struct Disagreement: Hashable, Sendable {
    /// The scheme.
    public let scheme: URLScheme
    /// The application that was to open it.
    public let expected: ApplicationID
    /// Why it does not: what the resolver found, with each candidate.
    public let resolution: Resolution
  }
}

extension RegistrationPlan.Disagreement: CustomStringConvertible {
  /// The sentence a person reads.
  public var description: String {
    let found = resolution.application?.id?.desktopFileName ?? "no application"
    let chosen = resolution.candidates.first { if case .chosen = $0.verdict { true } else { false } }
    let list = chosen.map { " (\($0.origin))" } ?? ""
    let about = resolution.candidates.first { $0.name == expected.desktopFileName }
    let why = about.map { ": \($0)" } ?? ": no list names it"
    return "\(scheme): would be opened by \(found)\(list) and not by \(expected.desktopFileName)\(why)"
  }
}

/// The application to be registered.
public enum Applicant: Hashable, Sendable {
  /// An installed application.
  case installed(ApplicationID)
  /// The entry at an absolute path, inside an applications folder or not.
  ///
  /// With an ID, its copy in the user's folder gets that ID in place of the file's name.
  case file(String, id: ApplicationID? = nil)
  /// A program without an entry: its name for people, the words of its command with field codes in them, and
  /// the ID it gets; without one, `usher-` and its name, and if another program has that, what tells them apart. It
  /// says that it implements these interfaces.
  case program(name: String, command: [String], id: ApplicationID? = nil, implements: [String] = [])
}
