public import Freedesktop

/// How well we know who asked, weakest first.
public enum Assurance: String, CaseIterable, Comparable, Sendable {
  /// Nobody can say.
  case unknown
  /// The caller says so itself.
  case claimed
  /// Its program is that of exactly one application.
  case executable
  /// The systemd unit it runs in is named after the application.
  case unit
  /// The kernel keeps it in the application's sandbox.
  case sandbox

  /// Orders by strength.
  public static func < (left: Self, right: Self) -> Bool { left.strength < right.strength }
  private var strength: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Who asked, and how well we know it.
public struct SourceApplication: Hashable, Sendable {
  /// The application, `nil` where `assurance` is `unknown`.
  public let id: ApplicationID?
  /// How well we know it.
  public let assurance: Assurance
  /// A middleman that hides the real source, as the portal.
  public let via: ApplicationID?

  /// A source that is known by `assurance`.
  public init(_ id: ApplicationID, _ assurance: Assurance) {
    self.id = id
    self.assurance = assurance
    via = nil
  }

  private init(via: ApplicationID?) {
    id = nil
    assurance = .unknown
    self.via = via
  }

  /// Nobody can say who asked.
  public static let unknown = SourceApplication(via: nil)

  /// Nobody can say who asked `middleman` to ask us.
  public static func hidden(by middleman: ApplicationID) -> SourceApplication {
    SourceApplication(via: middleman)
  }
}
