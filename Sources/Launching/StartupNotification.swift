// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import Freedesktop

/// The startup sequence of a launcher, which shows that an application is being started.
public enum StartupNotification {
  /// Returns whether one of the targets completes the sequence itself, because its desktop entry has `StartupNotify=true`.
  ///
  /// Startup Notification Protocol, version 0.1; Desktop Entry Specification, "StartupNotify".
  public static func isCompleted(byTargetsOf deliveries: [Delivery], in catalog: ApplicationCatalog) -> Bool {
    deliveries.contains { delivery in
      guard delivery.outcome != .failed,
        let id = delivery.application.flatMap({ ApplicationID(rawValue: $0) })
      else { return false }
      return (try? catalog.entry(id))?.startupNotify == true
    }
  }

  /// Returns whether a token has the form of startup IDs on X11, which contain `_TIME` and a timestamp.
  public static func isX11(_ token: String) -> Bool { token.contains("_TIME") }
}
