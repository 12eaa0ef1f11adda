// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// Callers in a sandbox like Flatpak's: bubblewrap, the information file, and Flatpak's record of the instance.
@Suite struct `A sandboxed caller` {
  /// The origin of a sandbox's information file, and its access to the bus.
  enum Kind {
    /// Like Flatpak, with direct access to the bus.
    case flatpak
    /// Like Flatpak, with the bus behind its proxy, which is in a sandbox of that name.
    case proxied
    /// The information file is forged: Flatpak has no record of the instance.
    case forged
    /// A sandbox without an information file.
    case plain
    /// A sandbox without an information file, with the bus behind a proxy outside it, as firejail has.
    case proxiedOutside
  }

  private static let info = "[Application]\nname=org.example.Boxed\n\n[Instance]\ninstance-id=4711\n"

  private static let box = """
    set -e
    kind=$1 info=$2
    shift 2
    sandbox() {
      bwrap --unshare-user --unshare-pid --proc /proc --dev /dev --ro-bind /usr /usr --ro-bind /etc /etc \\
        --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --bind "$HOME/.." "$HOME/.." "$@"
    }
    case $kind in
      plain) sandbox "$@" ;;
      proxied*)
        mkfifo "$HOME/ready.$$"
        # The proxy goes when nobody can read that any more.
        exec 7<>"$HOME/ready.$$"
        case $kind in
          proxied) box="sandbox --ro-bind-data 9 /.flatpak-info" ;;
          *) box= ;;
        esac
        $box xdg-dbus-proxy --fd=8 "$DBUS_SESSION_BUS_ADDRESS" "$HOME/proxy.$$" \\
          --filter --talk=org.usher.Broker1 8>"$HOME/ready.$$" 7>&- 9<"$info" &
        head -c 1 <&7 >/dev/null
        export DBUS_SESSION_BUS_ADDRESS=unix:path=$HOME/proxy.$$
        ${box:-sandbox} "$@" 9<"$info"
        ;;
      *) sandbox --ro-bind-data 9 /.flatpak-info "$@" 9<"$info" ;;
    esac
    """

  /// Calls a method with gdbus from inside, because the proxy rejects busctl's authentication.
  private static func call(
    _ desk: InstalledDesktop, _ kind: Kind, _ member: String, _ arguments: String...,
    of object: [String] = InstalledDesktop.broker
  ) async throws -> CommandResult {
    try await call(desk, kind, member, arguments, of: object)
  }

  private static func call(
    _ desk: InstalledDesktop, _ kind: Kind, _ member: String, _ arguments: [String], of object: [String]
  ) async throws -> CommandResult {
    let kept = kind == .forged ? "forged-info" : "run/.flatpak/4711/info"
    let file = try desk.desktop.write(info, to: kept)
    let gdbus = [
      "gdbus", "call", "--session", "--dest", object[0], "--object-path", object[1], "--method",
      "\(object[2]).\(member)",
    ]
    return try await desk.run("bash", ["-c", box, "bash", "\(kind)", file] + gdbus + arguments)
  }

  @Test func `cannot ask the broker for a permission`() async throws {
    try await with { desk, _ in
      for kind in [Kind.flatpak, .forged, .plain] {
        let refused = try await Self.call(
          desk, kind, "RequestPermission", "org.example.Boxed", "notifications", "{}")
        #expect(refused.errorOutput.contains("AccessDenied"), "\(refused)")
      }
    }
  }

  @Test func `may use the notifications of its own application alone`() async throws {
    try await with { desk, target in
      let triggers = ["org.usher.Triggers1", "/org/usher/Triggers1", "org.usher.Triggers1"]
      let member = "PendingNotifications"
      // Before Flatpak has a record of the instance.
      for kind in [Kind.forged, .plain] {
        let unconfirmed = try await Self.call(desk, kind, member, "org.example.Boxed", of: triggers)
        #expect(unconfirmed.errorOutput.contains("AccessDenied"), "\(unconfirmed)")
      }
      let own = try await Self.call(desk, .flatpak, member, "org.example.Boxed", of: triggers)
      #expect(own.succeeded, "\(own)")
      let another = try await Self.call(desk, .flatpak, member, target.kind.id, of: triggers)
      #expect(another.errorOutput.contains("AccessDenied"), "\(another)")
    }
  }

  @Test func `creates, lists and removes no regions of another application`() async throws {
    try await with { desk, target in
      let triggers = ["org.usher.Triggers1", "/org/usher/Triggers1", "org.usher.Triggers1"]
      let region = "{'identifier': <'home'>, 'latitude': <48.137>, 'longitude': <11.575>, 'radius': <100.0>}"
      let request = """
        {'identifier': <'shop'>, 'content': <{'title': <'Shop'>}>, 'trigger': <{'kind': <'region'>, 'region': <\(region)>}>}
        """
      try desk.desktop.installDesktopEntry("org.example.Boxed", exec: "/bin/true")
      let bus = try await SystemBus.start(on: desk)
      try await bus.announce()
      let calls = [
        ("AddRegion", [region]), ("RemoveRegions", ["['home']"]), ("RemoveAllRegions", []),
        ("StartSignificantLocationChanges", []), ("StopSignificantLocationChanges", []),
        ("RequestLocationAuthorization", []), ("LocationAuthorization", []), ("AddNotification", [request]),
      ]
      for permission in ["location", "notifications"] {
        for id in ["org.example.Boxed", target.kind.id] {
          try await desk.usher("grants", "allow", "--permission", permission, id).orThrow()
        }
      }
      try await desk.usher(
        "region", "add", target.kind.id, "office", "--at", "48.137,11.575", "--radius", "100"
      ).orThrow()
      // Its own name before Flatpak has a record of the instance, and another application.
      for (kind, id) in [
        (Kind.forged, "org.example.Boxed"), (.plain, "org.example.Boxed"), (.flatpak, target.kind.id),
      ] {
        for (member, arguments) in calls {
          let refused = try await Self.call(desk, kind, member, [id] + arguments, of: triggers)
          #expect(refused.errorOutput.contains("AccessDenied"), "\(kind) \(member): \(refused)")
          #expect(!refused.errorOutput.contains("48.1"), "\(refused)")
        }
      }
      let own = try await Self.call(desk, .flatpak, "AddRegion", ["org.example.Boxed", region], of: triggers)
      #expect(own.succeeded, "\(own)")
      let seen = try await Self.call(desk, .flatpak, "MonitoredLocations", [], of: triggers)
      #expect(seen.output.contains("'home'") && !seen.output.contains("'office'"), "\(seen)")
      let unseen = try await Self.call(desk, .plain, "MonitoredLocations", [], of: triggers)
      #expect(unseen.errorOutput.contains("AccessDenied"), "\(unseen)")
      await bus.end()
      let listed = try await desk.usher("region", "list")
      #expect(listed.output.contains(" office ") && listed.output.contains(" home "), "\(listed)")
    }
  }

  @Test func `may list and cancel the downloads of its own application, and add none`() async throws {
    try await with { desk, target in
      let triggers = ["org.usher.Triggers1", "/org/usher/Triggers1", "org.usher.Triggers1"]
      let request = "{'url': <'http://127.0.0.1:9/a'>}"
      for kind in [Kind.flatpak, .forged, .plain] {
        let added = try await Self.call(desk, kind, "AddDownload", "org.example.Boxed", request, of: triggers)
        #expect(added.errorOutput.contains("AccessDenied"), "\(kind): \(added)")
      }
      let refused = try await Self.call(desk, .flatpak, "AddDownload", "", request, of: triggers)
      #expect(refused.errorOutput.contains("usher download org.example.Boxed URL"), "\(refused)")
      try await desk.usher(
        "download", target.kind.id, "http://127.0.0.1:9/a", "--identifier", "a"
      ).orThrow()
      let list = try await Self.call(desk, .flatpak, "Downloads", of: triggers)
      #expect(list.output == "(@aa{sv} [],)\n", "\(list)")
      let own = try await Self.call(
        desk, .flatpak, "CancelDownloads", "org.example.Boxed", "['a']", of: triggers)
      #expect(own.succeeded, "\(own)")
      let other = try await Self.call(
        desk, .flatpak, "CancelDownloads", target.kind.id, "['a']", of: triggers)
      #expect(other.errorOutput.contains("AccessDenied"), "\(other)")
      #expect(try await desk.usher("download", "list").output.contains(" a "))
    }
  }

  /// Runs `body` on a desk whose routes allow such links without a prompt, unless `routes` say otherwise.
  private func with(
    routes: String = "[route.free]\nmatch = \"play:{x...}\"\nallow = true\n",
    _ body: @Sendable (InstalledDesktop, Target) async throws -> Void
  ) async throws {
    guard try await Command.run("bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"]).succeeded else {
      try Test.cancel("no sandbox can be made here")
    }
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setDefaults([
        "play": ["org.usher.Handler", target.kind.id], "file": ["org.usher.Handler", target.kind.id],
      ])
      try desk.desktop.writeRoutes("rules.toml", routes)
      try await body(desk, target)
    }
  }

  @Test func `causes one question for a scheme, and can neither answer it nor add a grant`() async throws {
    try await with(routes: "") { desk, target in
      for options in [
        "{}", "{'answer': <'yes'>}", "{'activation-token': <'token'>}",
        "{'source-application': <'org.example.Boxed.Part'>}",
      ] {
        let asked = try await Self.call(desk, .flatpak, "Open", "['play:1']", options)
        #expect(asked.errorOutput.contains("org.usher.Error.Denied"), "\(asked)")
      }
      for (member, argument) in [
        ("Allow", "{'source-application': <'org.example.Boxed'>, 'scheme': <'play'>}"), ("Grants", "{}"),
        ("Revoke", "{'all': <true>}"),
      ] {
        let refused = try await Self.call(desk, .flatpak, member, argument)
        #expect(refused.errorOutput.contains("may not read or change grants"), "\(refused)")
      }
      try await desk.usher("grants", "allow", "--source", "org.example.Boxed", "--scheme", "play").orThrow()
      // The user is asked about the application, regardless of the claimed part of it.
      for options in [
        "{}", "{'source-application': <'org.example.Boxed.Part'>}",
        "{'activation-token': <'token'>, 'user-activation': <'allowed'>, 'sandboxed': <false>}",
      ] {
        try await Self.call(desk, .flatpak, "Open", "['play:3']", options).orThrow()
        let arrival = try await target.next()
        #expect(arrival.urls == ["play:3"])
        #expect(arrival.envelope["sandboxed"]?.boolean == true && arrival.envelope["user-activation"] == nil)
      }
    }
  }

  @Test(arguments: ["org.freedesktop.Notifications", "org.freedesktop.impl.portal.desktop.mock"])
  func `that owns the bus names of prompts answers no question`(name: BusName) async throws {
    try await with(routes: "") { desk, _ in
      try PortalBackend.install(for: PortalBackend.chooser, on: desk.desktop)
      let isChooser = name != "org.freedesktop.Notifications"
      let path = isChooser ? "/org/freedesktop/portal/desktop" : "/org/freedesktop/Notifications"
      let interface = isChooser ? "org.freedesktop.impl.portal.AppChooser" : name.rawValue
      let server = try await RunningProgram.start(
        "bash",
        [
          "-c", Self.box, "bash", "plain", "", "/usr/bin/python3", "-u", "-m", "dbusmock", "--session",
          name.rawValue, path, interface,
        ], environment: desk.desktop.environment)
      try await desk.waitForOwner(of: name)
      // The program answers yes to each question.
      let methods =
        isChooser
        ? [
          (
            "ChooseApplication", "ossasa{sv}", "ua{sv}",
            "ret = (0, {'choice': dbus.String('\(TargetKind.plain.id)', variant_level=1)})"
          )
        ]
        : [
          ("GetCapabilities", "", "as", "ret = ['actions', 'body']"),
          (
            "Notify", "susssasa{sv}i", "u",
            "ret = dbus.UInt32(1); self.EmitSignal('', 'ActionInvoked', 'us', [dbus.UInt32(1), args[5][0]])"
          ),
        ]
      for (member, input, output, code) in methods {
        try await desk.call(
          [name.rawValue, path, "org.freedesktop.DBus.Mock"], "AddMethod", "sssss", "", member, input, output,
          code
        ).orThrow()
      }
      let asked = try await Self.call(desk, .flatpak, "Open", "['play:1']", "{}")
      #expect(asked.errorOutput.contains("org.usher.Error.Denied"), "\(asked)")
      #expect(try await desk.usher("grants", "list").output.isEmpty)
      withExtendedLifetime(server) {}
    }
  }

  @Test func `that owns the bus name of the notification server receives no notification of an application`()
    async throws
  {
    try await with(routes: "") { desk, _ in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      let (name, path) = ("org.freedesktop.Notifications", "/org/freedesktop/Notifications")
      let server = try await RunningProgram.start(
        "bash",
        [
          "-c", Self.box, "bash", "plain", "", "/usr/bin/python3", "-u", "-m", "dbusmock", "--session", name,
          path,
          name,
        ], environment: desk.desktop.environment)
      try await desk.waitForOwner(of: BusName(unchecked: name))
      for (member, input, output, code) in [
        ("GetCapabilities", "", "as", "ret = ['actions', 'body']"),
        ("Notify", "susssasa{sv}i", "u", "ret = dbus.UInt32(1)"),
      ] {
        try await desk.call(
          [name, path, "org.freedesktop.DBus.Mock"], "AddMethod", "sssss", "", member, input, output, code
        ).orThrow()
      }
      try await desk.usher("notify", application.id, "--title", "secret").orThrow()
      let settings = try await desk.usher("notify", "settings", application.id)
      #expect(settings.output.contains("not-supported"), "\(settings)")
      // The server prints the calls that it receives, also until another one replaces it.
      try await desk.call([name, path, name], "GetCapabilities").orThrow()
      let trusted = try await NotificationServer.start(on: desk)
      #expect(try await trusted.next(1).text.contains("secret"))
      server.kill()
      var isObserved = false
      for await line in server.lines {
        #expect(!line.contains("secret"))
        if line.contains("GetCapabilities") { isObserved = true }
      }
      #expect(isObserved)
    }
  }

  @Test func `that claims a part of itself is decided as itself after a restart, too`() async throws {
    try await with(routes: "") { desk, _ in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      try await desk.usher("grants", "allow", "--source", "org.example.Boxed", "--scheme", "mimic").orThrow()
      try await Self.call(
        desk, .flatpak, "Open", "['mimic:1']",
        "{'wait': <'accepted'>, 'source-application': <'org.example.Boxed.Part'>}"
      ).orThrow()
      #expect(try await application.next()["started"] == true)
      try await desk.waitUntilPending { $0 == 1 }
      try await desk.killBroker()
      async let last = desk.open("mimic:2")
      #expect(try await application.next()["started"] == true)
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
      #expect(try await application.nextCall()["urls"] == ["mimic:2"])
      #expect(try await last.status == 0)
    }
  }

  @Test func `that claims a part of itself gets the explanation of a decision about itself`() async throws {
    let routes = """
      [route]
      no   = { match = "play:no", source = "org.example.Boxed", deny = "not from the box" }
      part = { match = "play:part", source = { application = "org.example.Boxed.*" }, allow = true }
      """
    try await with(routes: routes) { desk, _ in
      let part = "{'source-application': <'org.example.Boxed.Part'>}"
      for (link, decision) in [("play:no", "deny"), ("play:part", "ask")] {
        let decided = try await Self.call(desk, .flatpak, "Explain", link, part)
        #expect(decided.output.contains("'decision': <'\(decision)'>"), "\(decided)")
      }
      let asked = try await Self.call(desk, .flatpak, "Explain", "play:1", part)
      #expect(asked.output.contains("'decision': <'ask'>"), "\(asked)")
      try await desk.usher("grants", "allow", "--source", "org.example.Boxed", "--scheme", "play").orThrow()
      let granted = try await Self.call(desk, .flatpak, "Explain", "play:1", part)
      #expect(granted.output.contains("'decision': <'deliver'>"), "\(granted)")
    }
  }

  /// No sandbox has access to the socket; a caller with access is identified as over the bus.
  @Test func `is identified as sandboxed at the broker's socket too`() async throws {
    try await with { desk, target in
      let broker = try await desk.startBroker()
      let file = try desk.desktop.write(Self.info, to: "run/.flatpak/4711/info")
      for (kind, source) in [(Kind.flatpak, "org.example.Boxed"), (.plain, nil)] {
        let answer = try await desk.run(
          "bash",
          [
            "-c", Self.box, "bash", "\(kind)", file, "/usr/bin/python3", "-c",
            """
            import socket, sys
            peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            peer.connect(sys.argv[1])
            peer.send(b"usher-open-1\\0url\\0play:1\\0request-id\\0\(kind)\\0")
            print(peer.recv(9))
            """, "\(desk.desktop.runtimeDirectory)/usher/open",
          ]
        ).orThrow().output
        #expect(answer == "b'd'\n")
        let arrival = try await target.next()
        #expect(arrival.urls == ["play:1"] && arrival.envelope["sandboxed"]?.boolean == true)
        #expect(arrival.envelope["source-application"]?.string == source, "\(kind)")
      }
      _ = try await broker.stop()
    }
  }

  @Test func `with a forged information file gets no grants of that name`() async throws {
    try await with(routes: "") { desk, _ in
      try await desk.usher("grants", "allow", "--source", "org.example.Boxed", "--scheme", "play").orThrow()
      let forged = try await Self.call(desk, .forged, "Open", "['play:1']", "{}")
      #expect(forged.errorOutput.contains("org.usher.Error.Denied"), "\(forged)")
    }
  }

  @Test(arguments: [Kind.flatpak, .proxied])
  func `is identified by Flatpak's record of its instance, and cannot claim another name`(kind: Kind)
    async throws
  {
    try await with { desk, target in
      try await Self.call(
        desk, kind, "Open", "['play:1']", "{'source-application': <'org.example.Liar'>}"
      ).orThrow()
      let arrival = try await target.next()
      #expect(arrival.source == "org.example.Boxed", "\(arrival)")
      #expect(arrival.assurance == "sandbox", "\(arrival)")
    }
  }

  @Test(arguments: [Kind.flatpak, .plain])
  func `cannot choose the display or the locale of another program`(kind: Kind) async throws {
    try await with { desk, target in
      let player = try Recorder("player", in: desk.desktop)
      try desk.desktop.installDesktopEntry(target.kind.id, exec: "\(player.path) %u", schemes: ["play"])
      try await Self.call(
        desk, kind, "Open", "['play:1']",
        "{'session': <{'DISPLAY': <'evil:1'>, 'XAUTHORITY': <'/evil'>, 'LANGUAGE': <'evil'>, 'LD_PRELOAD': <'/evil'>}>}"
      ).orThrow()
      let environment = try await player.nextStart().environment
      #expect(environment["DISPLAY"] == desk.desktop.environment["DISPLAY"])
      #expect(!environment.values.contains { $0.contains("evil") }, "\(environment)")
    }
  }

  @Test func `may claim a sub-ID of its application`() async throws {
    try await with { desk, target in
      try await Self.call(
        desk, .flatpak, "Open", "['play:1']", "{'source-application': <'org.example.Boxed.Part'>}"
      ).orThrow()
      let arrival = try await target.next()
      #expect(arrival.source == "org.example.Boxed.Part", "\(arrival)")
      #expect(arrival.assurance == "sandbox", "\(arrival)")
    }
  }

  @Test func `with a forged information file has a claimed name without rights`() async throws {
    try await with { desk, target in
      try await Self.call(desk, .forged, "Open", "['play:1']", "{}").orThrow()
      let arrival = try await target.next()
      #expect(arrival.source == "org.example.Boxed", "\(arrival)")
      #expect(arrival.assurance == "claimed", "\(arrival)")
    }
  }

  @Test func `without an information file is unidentified, whatever it claims`() async throws {
    try await with { desk, target in
      try await Self.call(
        desk, .plain, "Open", "['play:1']", "{'source-application': <'org.example.Liar'>}"
      ).orThrow()
      let arrival = try await target.next()
      #expect(arrival.source == nil, "\(arrival)")
      #expect(arrival.assurance == "unknown", "\(arrival)")
    }
  }

  @Test(arguments: [Kind.flatpak, .proxied, .forged, .plain, .proxiedOutside])
  func `cannot open files, and CanOpen agrees with Open`(kind: Kind) async throws {
    try await with { desk, _ in
      let outside = try await desk.call(InstalledDesktop.broker, "CanOpen", "s", "file:///etc/passwd")
      #expect(outside.output.contains("true"), "\(outside)")
      let inside = try await Self.call(desk, kind, "CanOpen", "file:///etc/passwd")
      #expect(inside.output.contains("false"), "\(inside)")
      for what in ["History", "Monitor"] {
        let others = try await Self.call(desk, kind, what, "{}")
        #expect(others.errorOutput.contains("AccessDenied"), "\(others)")
      }
      let denied = try await Self.call(desk, kind, "Open", "['file:///etc/passwd']", "{}")
      #expect(denied.errorOutput.contains("org.usher.Error.Denied"), "\(denied)")
    }
  }

  /// A sandbox that only claims its identity is not identified by it.
  @Test(arguments: [Kind.flatpak, .proxied, .forged, .plain, .proxiedOutside])
  func `can send requests without a URL only to its own application`(kind: Kind) async throws {
    try await with { desk, target in
      let boxed = try Recorder("boxed", in: desk.desktop)
      try desk.desktop.installDesktopEntry("org.example.Boxed", exec: boxed.execWord)
      for options in [
        "{'reason': <'activate'>, 'target': <'\(target.kind.id)'>}",
        "{'reason': <'location'>, 'target': <'\(target.kind.id)'>, 'activation-token': <'token'>}",
      ] {
        let denied = try await Self.call(desk, kind, "Open", "@as []", options)
        #expect(denied.errorOutput.contains("org.usher.Error.Denied"), "\(denied)")
      }
      let own = try await Self.call(
        desk, kind, "Open", "@as []", "{'reason': <'activate'>, 'target': <'org.example.Boxed'>}")
      guard kind == .flatpak || kind == .proxied else {
        return #expect(own.errorOutput.contains("org.usher.Error.Denied"), "\(own)")
      }
      #expect(own.succeeded, "\(own)")
      #expect(try await boxed.nextStart().arguments == [])
    }
  }

  /// Tests that the scenes of another application are not disclosed.
  @Test func `cannot query the scenes of another application`() async throws {
    try await with { desk, _ in
      _ = try await ServedApplication.start(.application1, on: desk)
      try desk.desktop.writeRoutes("rules.toml", "[route.free]\nmatch = \"served:{x...}\"\nallow = true\n")
      let explained = try await Self.call(
        desk, .flatpak, "Explain", "served:1", "{'in-application': <true>}")
      #expect(explained.output.contains("a sandboxed application may not query the scenes"), "\(explained)")
      #expect(!explained.output.contains("session-7"), "\(explained)")
    }
  }

  /// Tests that the decision for another caller is not disclosed.
  @Test(arguments: [
    "'as-application': <'org.gnome.Contacts'>", "'as-assurance': <'unknown'>", "'as-sandboxed': <false>",
    "'as-application': <'org.gnome.Contacts'>, 'as-installed': <'user'>",
    "'as-remote': <'build.example.org'>",
  ])
  func `cannot query the decision for another caller`(option: String) async throws {
    try await with { desk, _ in
      for kind in [Kind.flatpak, .plain] {
        let explained = try await Self.call(desk, kind, "Explain", "play:1", "{\(option)}")
        #expect(
          explained.errorOutput.contains("AccessDenied")
            && explained.errorOutput.contains("query decisions for other applications"),
          "\(explained)")
      }
      let clicked = try await Self.call(desk, .flatpak, "Explain", "play:1", "{'clicked': <true>}")
      #expect(clicked.output.contains("'sandboxed': <true>"), "\(clicked)")
    }
  }

  /// Root can make namespaces without a user namespace, as firejail and Podman do.
  @Test(
    .enabled(if: getuid() == 0),
    arguments: [
      // firejail: the machine's root directory, with processes and mounts of its own.
      (["unshare", "-m", "-p", "-i", "-u", "--fork", "setpriv", "--no-new-privs"], true),
      (["unshare", "-p", "--fork"], true),
      // Podman in the host's user namespace: another root directory.
      (
        [
          "bwrap", "--proc", "/proc", "--dev", "/dev", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc",
          "/etc",
          "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64",
          "--bind", "/tmp", "/tmp",
        ], true
      ),
      // PrivateTmp= and ProtectSystem= of a service, which is no sandbox.
      (["unshare", "-m"], false), (["unshare", "-m", "-i", "-u", "-n"], false), (["env"], false),
    ])
  func `is detected without its own user namespace, and a service is not treated as one`(
    prefix: [String], isSandboxed: Bool
  ) async throws {
    guard try await Command.run(prefix[0], prefix.dropFirst() + ["true"]).succeeded else {
      try Test.cancel("no such namespace can be made here")
    }
    try await with { desk, _ in
      let gdbus = [
        "gdbus", "call", "--session", "--dest", InstalledDesktop.broker[0], "--object-path",
        InstalledDesktop.broker[1], "--method",
        "\(InstalledDesktop.broker[2]).Explain", "play:1", "{}",
      ]
      let explained = try await desk.run(prefix[0], prefix.dropFirst() + gdbus).orThrow()
      #expect(explained.output.contains("'sandboxed': <true>") == isSandboxed, "\(explained)")
    }
  }

  /// A program that expects no calls on the bus is started as if its name had no owner.
  @Test func `that owns the bus name of a plain program does not keep it from its links`() async throws {
    try await with { desk, target in
      let squatter = try await RunningProgram.start(
        "bash",
        [
          "-c", Self.box, "bash", "plain", "", "/usr/bin/python3", "-u", "-m", "dbusmock", "--session",
          target.kind.id, "/org/example", "org.example.Name",
        ], environment: desk.desktop.environment)
      let name = try #require(BusName(target.kind.id))
      try await desk.waitForOwner(of: name)
      #expect(try await desk.open("play:1?token=secret").status == 0)
      #expect(try await target.next().urls == ["play:1?token=secret"])
      squatter.kill()
      _ = await squatter.waitUntilExit()
    }
  }

  /// Explain reports to a caller its own treatment.
  @Test(arguments: [Kind.plain, .proxiedOutside])
  func `is informed that it is treated as sandboxed`(kind: Kind) async throws {
    try await with { desk, _ in
      let explained = try await Self.call(desk, kind, "Explain", "play:1", "{}")
      #expect(explained.output.contains("'sandboxed': <true>"), "\(explained)")
      #expect(explained.output.contains("'assurance': <'unknown'>"), "\(explained)")
    }
  }

  /// A bus name belongs to its first owner; a process in another application's sandbox is not that application.
  @Test(arguments: [Kind.flatpak, .forged, .plain])
  func `that owns the bus name of another application receives none of its links`(kind: Kind) async throws {
    try await with { desk, _ in
      let application = try await BusApplication.install(.silent, .application1, on: desk)
      let squatter = try desk.desktop.installScript(
        "squat",
        """
        #!/usr/bin/python3
        import dbus, sys
        bus = dbus.SessionBus()
        assert bus.request_name("\(application.id)") == 1
        print("taken", flush=True)
        sys.stdin.read()
        """)
      let kept = kind == .forged ? "forged-info" : "run/.flatpak/4711/info"
      let file = try desk.desktop.write(Self.info, to: kept)
      let inside = try await RunningProgram.start(
        "bash", ["-c", Self.box, "bash", "\(kind)", file, squatter], environment: desk.desktop.environment)
      _ = try await inside.line { $0 == "taken" }
      let report = try await desk.open("mimic:1?token=secret")
      #expect(report.error == "LaunchFailed", "\(report)")
      let owner = kind == .plain ? "- (unknown, treated as sandboxed)" : "org.example.Boxed"
      #expect(report.message.contains("is owned by \(owner)"), "\(report)")
      inside.closeInput()
      _ = await inside.waitUntilExit()
    }
  }
}
