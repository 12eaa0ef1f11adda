public import BusInterfaces
public import Freedesktop

/// Who ends the startup sequence of a launcher, which shows that something is being started.
public enum StartupNotification {
  /// Whether one of the applications that got links ends the sequence itself: its desktop entry says `StartupNotify=true`.
  ///
  /// Startup Notification Protocol, version 0.1; Desktop Entry Specification, "StartupNotify".
  public static func isCompleted(byTargetsOf deliveries: [Delivery], in catalog: ApplicationCatalog) -> Bool {
    deliveries.contains { delivery in
      guard delivery.outcome != .failed,
        let id = delivery.application.flatMap({ ApplicationID(rawValue: $0) })
      else { return false }
      return (try? catalog.entry(id))??.startupNotify == true
    }
  }

  /// Whether a token has the form that startup IDs have on X11, `…_TIME` and a timestamp.
  public static func isX11(_ token: String) -> Bool { token.contains("_TIME") }
}
