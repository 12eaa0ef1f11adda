import BusInterfaces
import TestSupport
import Testing

/// What a caller is told and allowed that the kernel keeps in a sandbox, as Flatpak makes one.
@Suite struct `A sandboxed caller` {
  /// A root of its own that has `/.flatpak-info`, the rest as outside.
  private static let box = """
    set -e
    mkdir -p "$0"
    mount -t tmpfs none "$0"
    cd "$0"
    for folder in usr etc tmp dev proc; do mkdir $folder; mount --rbind /$folder $folder; done
    for link in bin lib lib64 sbin; do if [ -L /$link ]; then ln -s usr/$link $link; fi; done
    printf '[Application]\\nname=org.example.Boxed\\n' >.flatpak-info
    exec chroot . "$@"
    """

  /// A method call by busctl from inside.
  private static func call(_ desk: Desk, _ member: String, _ arguments: String...) async throws
    -> CommandResult
  {
    try await call(desk, member, arguments)
  }

  private static func call(_ desk: Desk, _ member: String, _ arguments: [String]) async throws
    -> CommandResult
  {
    try await desk.run(
      "unshare",
      ["--map-root-user", "--mount", "sh", "-c", box, "\(desk.desktop.root)/box", "busctl", "--user"]
        + ["--json=short", "call"] + Desk.broker + [member] + arguments)
  }

  @Test func `CanOpen answers about the caller, as Open does`() async throws {
    guard try await Command.run("unshare", ["--map-root-user", "--mount", "true"]).succeeded else {
      try Test.cancel("no mount namespace can be made here")
    }
    try await Desk.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setDefaults([
        "play": ["org.usher.Handler", target.kind.id], "file": ["org.usher.Handler", target.kind.id],
      ])
      let outside = try await desk.call(Desk.broker, "CanOpen", "s", "file:///etc/passwd")
      #expect(outside.output.contains("true"), "\(outside)")
      let denied = try await Self.call(desk, "Open", "asa{sv}", "1", "file:///etc/passwd", "0")
      #expect(denied.errorOutput.contains("sandboxed application may not open local files"), "\(denied)")
      let inside = try await Self.call(desk, "CanOpen", "s", "file:///etc/passwd")
      #expect(inside.output.contains("false"), "\(inside)")

      let asked = try await Self.call(desk, "Open", "asa{sv}", "1", "play:1", "0")
      #expect(asked.errorOutput.contains("usher grants allow --source org.example.Boxed --scheme play"))
      // It can neither answer nor grant it itself.
      for (member, arguments) in [
        ("Open", ["asa{sv}", "1", "play:1", "1", "answer", "s", "yes"]),
        ("Open", ["asa{sv}", "1", "play:1", "1", "activation-token", "s", "token"]),
        ("Allow", ["a{sv}", "2", "source-application", "s", "org.example.Boxed", "scheme", "s", "play"]),
        ("Grants", ["a{sv}", "0"]), ("Revoke", ["a{sv}", "1", "all", "b", "true"]),
      ] {
        let refused = try await Self.call(desk, member, arguments)
        #expect(!refused.succeeded, "\(member): \(refused)")
        #expect(
          member == "Open" || refused.errorOutput.contains("Access denied"),
          "\(refused)")
      }
      try await desk.usher("grants", "allow", "--source", "org.example.Boxed", "--scheme", "play").orThrow()
      for what in ["History", "Monitor"] {
        let others = try await Self.call(desk, what, "a{sv}", "0")
        #expect(others.errorOutput.contains("Access denied"), "\(others)")
      }

      try await Self.call(desk, "Open", "asa{sv}", "1", "play:1", "0").orThrow()
      let arrival = try await target.next()
      #expect(arrival.source == "org.example.Boxed")
      #expect(arrival.assurance == "sandbox")
    }
  }
}
