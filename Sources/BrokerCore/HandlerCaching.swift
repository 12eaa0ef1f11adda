public import Freedesktop

/// Remembers which applications open links, for as long as certainly nothing has changed that this rests on.
public protocol HandlerCaching: Sendable {
  /// The application that was chosen for a scheme, if it would be chosen again.
  func choice(for scheme: URLScheme) -> TargetApplication?
  /// Takes what was chosen just now: by the rules, and by the files at `places`.
  func keep(_ application: TargetApplication, for scheme: URLScheme, restingOn places: [String])
}
