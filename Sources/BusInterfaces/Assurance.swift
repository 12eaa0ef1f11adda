/// How surely the source application of a request is known, weakest first.
public enum Assurance: String, CaseIterable, Comparable, Sendable {
  /// Nobody is named.
  case unknown
  /// The caller says so itself.
  case claimed
  /// By the program that called.
  case executable
  /// By the systemd unit the caller runs in.
  case unit
  /// By the sandbox the caller runs in.
  case sandbox

  /// Whether `left` is the weaker one.
  public static func < (left: Assurance, right: Assurance) -> Bool { left.strength < right.strength }

  private var strength: Int { Assurance.allCases.firstIndex(of: self) ?? 0 }
}
