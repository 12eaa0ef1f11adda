// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Links from inside a sandbox without access to the broker: the calls that flatpak-xdg-utils' tests expect of `xdg-open`.
@Suite struct `Inside a Flatpak` {
  /// Runs a program in a sandbox with the information file of a Flatpak, on the desktop's bus.
  private static func run(
    _ desktop: ThrowAwayDesktop, _ words: [String], display: String = ""
  ) async throws -> CommandResult {
    let info = try desktop.write("[Application]\nname=org.example.Boxed\n", to: "\(desktop.home)/info")
    let script = """
      info=$1
      shift
      exec bwrap --unshare-user --unshare-pid --proc /proc --dev /dev --ro-bind /usr /usr --ro-bind /etc /etc \
        --ro-bind-try /opt /opt --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
        --ro-bind '\(BuiltProducts.repository)' '\(BuiltProducts.repository)' --bind "$HOME/.." "$HOME/.." \
        --ro-bind-data 9 /.flatpak-info "$@" 9<"$info"
      """
    return try await Command.run(
      "bash", ["-c", script, "bash", info] + words,
      environment: desktop.environment.merging(["DISPLAY": display]) { $1 }, directory: desktop.home)
  }

  private static func with(
    _ body: (ThrowAwayDesktop, _ opener: String, PrivateBus) async throws -> Void
  ) async throws {
    guard try await Command.run("bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"]).succeeded else {
      try Test.cancel("no sandbox can be made here")
    }
    try await ThrowAwayDesktop.withBus { desktop, bus in
      try await body(desktop, try desktop.link("xdg-open", to: BuiltProducts.usher), bus)
    }
  }

  @Test func `xdg-open --help prints to standard output alone`() async throws {
    try await Self.with { desktop, opener, _ in
      let result = try await Self.run(desktop, [opener, "--help"])
      #expect(
        result.succeeded && result.output.contains("--version") && result.errorOutput.isEmpty, "\(result)")
    }
  }

  @Test func `a link goes to the portal, also without a display`() async throws {
    try await Self.with { desktop, opener, _ in
      let portal = try await DesktopService.portal(on: desktop)
      try await Self.run(desktop, [opener, "http://example.com/"]).orThrow()
      #expect(try await portal.nextCall() == "OpenURI||http://example.com/|{}")
      try await Self.run(desktop, [BuiltProducts.usher, "open", "notes:a b\\c"]).orThrow()
      #expect(try await portal.nextCall() == "OpenURI||notes:a%20b\\c|{}")
    }
  }

  @Test func `a file goes to the portal as an open file`() async throws {
    try await Self.with { desktop, opener, _ in
      let portal = try await DesktopService.portal(on: desktop)
      try await Self.run(desktop, [opener, "/dev/null"]).orThrow()
      #expect(try await portal.nextCall() == "OpenFile||/dev/null|{}")
      let file = try desktop.write("x", to: "\(desktop.home)/a b.txt")
      try await Self.run(desktop, [BuiltProducts.usher, "reveal", "a b.txt"]).orThrow()
      #expect(try await portal.nextCall() == "OpenDirectory||\(file)|{}")
    }
  }

  @Test func `a portal that does not start counts as missing`() async throws {
    try await Self.with { desktop, opener, bus in
      let portal = try desktop.installScript("crashing-portal", "#!/bin/sh\nkill -TRAP $$\n")
      try desktop.write(
        "[D-BUS Service]\nName=org.freedesktop.portal.Desktop\nExec=\(portal)\n",
        to: "\(desktop.dataHome)/dbus-1/services/org.freedesktop.portal.Desktop.service")
      try await bus.reload()
      let result = try await Self.run(desktop, [opener, "http://example.com/"])
      #expect(result.status == 3 && result.errorOutput.contains("signal 5"), "\(result)")
    }
  }

  /// The portal may have opened the link, so that another opener must not open it again.
  @Test func `a portal that receives a link and does not reply leaves the outcome unknown`() async throws {
    try await Self.with { desktop, _, _ in
      for (options, status) in [([], 5), (["--from-desktop"], 0)] as [([String], Int32)] {
        let portal = try await DesktopService.exitingPortal(on: desktop)
        let result = try await Self.run(
          desktop, [BuiltProducts.usher, "open"] + options + ["http://example.com/"])
        #expect(try await portal.nextCall() == "OpenURI||http://example.com/|{}")
        #expect(result.status == status && result.errorOutput.contains("unknown whether"), "\(result)")
      }
    }
  }

  @Test func `without a portal the error says so`() async throws {
    try await Self.with { desktop, opener, _ in
      let result = try await Self.run(desktop, [opener, "http://example.com/"])
      #expect(result.status == 3 && result.errorOutput.contains("the portal"), "\(result)")
      let open = try await Self.run(desktop, [BuiltProducts.usher, "open", "--app", "org.example.A", "n:x"])
      #expect(open.status == 69, "\(open)")
    }
  }
}
