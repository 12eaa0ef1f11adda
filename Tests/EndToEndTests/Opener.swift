// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The openers through which a link reaches Usher.
enum Opener: String, CaseIterable, CustomTestStringConvertible {
  case xdgOpen = "xdg-open"
  case xdgOpenOnGNOME = "xdg-open on GNOME"
  case gioOpen = "gio open"
  case brokerDoor = "a call of Broker1.Open"
  case handlerDoor = "a call of Application.Open"
  case usherOpen = "usher open"
  case usherAsXDGOpen = "usher as xdg-open"

  var testDescription: String { rawValue }

  /// A Boolean value that is `true` if the opener waits for the delivery.
  var waitsForDelivery: Bool { self == .brokerDoor || self == .usherOpen || self == .usherAsXDGOpen }

  /// Opens a URL, and fails if the opener reports a failure.
  func open(_ url: String, on desk: InstalledDesktop) async throws {
    switch self {
    case .xdgOpen: try await desk.run("xdg-open", [url]).orThrow()
    case .xdgOpenOnGNOME:
      try await desk.run("xdg-open", [url], adding: ["XDG_CURRENT_DESKTOP": "GNOME"]).orThrow()
    case .gioOpen: try await desk.run("gio", ["open", url]).orThrow()
    case .brokerDoor: try await desk.call(InstalledDesktop.broker, "Open", "asa{sv}", "1", url, "0").orThrow()
    case .handlerDoor:
      try await desk.call(InstalledDesktop.handler, "Open", "asa{sv}", "1", url, "0").orThrow()
    case .usherOpen: try await desk.usher("open", url).orThrow()
    case .usherAsXDGOpen:
      // Runs without a display, as on a console.
      let opener = try desk.desktop.link("xdg-open", to: BuiltProducts.usher)
      try await desk.run(opener, [url], adding: ["DISPLAY": ""]).orThrow()
    }
  }
}
