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
  /// Whether it is in a sandbox, or nobody can say that it is not: how little it may do, whoever it is.
  ///
  /// Another matter than `assurance`: what keeps a program from its user's files may not tell who it is, and who it is may be
  /// told by somebody who is not to be believed.
  public private(set) var mayBeSandboxed: Bool
  private var isInstalledBySystem = false

  /// A source that is known by `assurance`; sandboxed where that is the sandbox's own.
  public init(_ id: ApplicationID, _ assurance: Assurance) {
    self.init(id, assurance, via: nil, mayBeSandboxed: assurance == .sandbox)
  }

  private init(_ id: ApplicationID?, _ assurance: Assurance, via: ApplicationID?, mayBeSandboxed: Bool) {
    self.id = id
    self.assurance = assurance
    self.via = via
    self.mayBeSandboxed = mayBeSandboxed
  }

  /// The same, which nobody can say is outside a sandbox.
  public var sandboxed: SourceApplication {
    var source = self
    source.mayBeSandboxed = true
    return source
  }

  /// Who can change what is installed of the application: the user where that was not checked, `nil` where `assurance` is `unknown`.
  public var installedBy: Installation.Owner? {
    guard id != nil else { return nil }
    return isInstalledBySystem ? .system : .user
  }

  /// The same source, whose application `owner` can change.
  ///
  /// No entry identified a source that only claims its name, so that one stays the user's.
  public func installed(by owner: Installation.Owner) -> SourceApplication {
    var source = self
    source.isInstalledBySystem = owner == .system && id != nil && assurance >= .executable
    return source
  }

  /// Nobody can say who asked.
  public static let unknown = SourceApplication(nil, .unknown, via: nil, mayBeSandboxed: false)

  /// Nobody can say who asked, nor that it was not in a sandbox.
  public static let unseen = unknown.sandboxed

  /// Nobody can say who asked `middleman` to ask us.
  public static func hidden(by middleman: ApplicationID) -> SourceApplication {
    SourceApplication(nil, .unknown, via: middleman, mayBeSandboxed: false)
  }
}

extension SourceApplication: CustomStringConvertible {
  /// The application and how well it is known, as `org.example.Chat (unit)`; `-` for nobody.
  public var description: String {
    let behind = via.map { ", behind \($0)" } ?? ""
    let box = mayBeSandboxed && assurance != .sandbox ? ", treated as sandboxed" : ""
    return "\(id?.rawValue ?? "-") (\(assurance.rawValue)\(behind)\(box))"
  }
}
