// SPDX-License-Identifier: Apache-2.0
/// The startup sequence that a launcher began for this process: the busy cursor, which is shown until the sequence completes.
///
/// The handler's entry has `StartupNotify=true`, because GIO passes an activation token only then. An application
/// completes the sequence itself if its entry has `StartupNotify=true`; for all others the command does. Startup
/// Notification Protocol, version 0.1. On Wayland nothing is sent, because a token of xdg-activation expires.
struct StartupSequence: Equatable {
  /// The ID of the sequence.
  let id: String

  /// Creates the sequence from environment variables; `nil` if there is none or the display is no X server.
  init?(_ variable: (String) -> String?) {
    guard let id = variable("DESKTOP_STARTUP_ID"), !id.isEmpty, id.utf8.count <= 4_096,
      variable("DISPLAY").map({ !$0.isEmpty }) ?? false,
      // An X server inside a Wayland session uses the compositor's own tokens, which the application still needs.
      variable("WAYLAND_DISPLAY").map(\.isEmpty) ?? true
    else { return nil }
    self.id = id
  }

  /// Broadcasts the completion on the display; has no effect if the display cannot be reached.
  func complete(_ variable: (String) -> String?) {
    let connection = X11Connection(variable)
    _ = connection?.broadcast(
      "remove: ID=\(escapedID)", begin: "_NET_STARTUP_INFO_BEGIN", more: "_NET_STARTUP_INFO")
  }

  private var escapedID: String {
    id.reduce(into: "") { text, character in
      if " \"\\".contains(character) { text.append("\\") }
      text.append(character)
    }
  }
}
