/// The startup sequence that a launcher began for this process: the busy cursor, until somebody says that the start is over.
///
/// The handler's entry says `StartupNotify=true`, because GIO passes an activation token on no other ground. What is started in its
/// place says that the start is over if its own entry says `StartupNotify=true`; for every other the command says it.
/// Startup Notification Protocol, version 0.1. On Wayland there is nothing to say: a token of xdg-activation expires.
struct StartupSequence: Equatable {
  /// The ID that the launcher gave.
  let id: String

  /// The sequence that `variable`, the environment, tells of; `nil` where there is none on an X server.
  init?(_ variable: (String) -> String?) {
    guard let id = variable("DESKTOP_STARTUP_ID"), !id.isEmpty, id.utf8.count <= 4_096,
      variable("DISPLAY").map({ !$0.isEmpty }) ?? false,
      // An X server inside a Wayland session has the compositor's own tokens, which the application still needs.
      variable("WAYLAND_DISPLAY").map(\.isEmpty) ?? true
    else { return nil }
    self.id = id
  }

  /// Says on the display that the start is over; does nothing where that cannot be said.
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
