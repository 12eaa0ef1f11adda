import Freedesktop

/// The caller that a request is charged to: what limits, rates and turns are counted by.
///
/// It outlives connections and, where the kernel or systemd says more, processes: a caller that connects again, or starts
/// itself again, is the same. Two programs of one application are one caller where they are in one unit or one sandbox.
public struct ChargedCaller: Hashable, Sendable, CustomStringConvertible {
  /// The identity as text, which is only compared.
  public let text: String
  /// The identity as text.
  public var description: String { text }

  /// A caller that is known by `text`.
  public init(_ text: String) { self.text = text }

  /// All callers of which nothing could be read, together: a program that exits before it can be looked at must not be a
  /// new caller each time.
  public static let unidentified = ChargedCaller("unidentified callers")
  /// All sandboxed callers whose sandbox has no name, together: inside one, processes are a caller's to make.
  public static let unnamedSandboxes = ChargedCaller("sandboxes without a name")

  /// The caller with these facts: its sandbox's application where that is certain, else its unit, else its program, else,
  /// for interpreters and openers, the process.
  public init(_ facts: CallerCredentials?) {
    guard let facts else {
      self = .unidentified
      return
    }
    if let application = facts.certainSandbox {
      self.init("sandbox of \(application)")
    } else if let unit = facts.group?.userUnit {
      self.init(unit)
    } else if facts.mayBeSandboxed {
      self = .unnamedSandboxes
    } else {
      self = facts.scope.map(ChargedCaller.init) ?? .unidentified
    }
  }
}

extension CallerCredentials {
  /// The application of the sandbox, where Flatpak or the kernel vouches for it.
  fileprivate var certainSandbox: String? {
    if case .flatpak(let info, isConfirmed: true) = confinement { return info.application?.rawValue }
    if let (snap, isEnforced) = confiningSnap, isEnforced { return snap?.instance }
    return nil
  }
}
