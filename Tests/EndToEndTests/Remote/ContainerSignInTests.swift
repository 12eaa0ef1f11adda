// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// Sign-ins of programs in containers, whose answers the client in the container carries.
@Suite struct `A sign-in from a container` {
  private static func with(
    hasOwnNetwork: Bool = true, isPortable: Bool = false, follows: Bool = false,
    adding variables: [String: String] = [:], routes: String = "",
    _ body: @Sendable (SignInRig, SeparateContainer, NotificationServer) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let rig = try await SignInRig.install(on: desk, follows: follows)
      try desk.desktop.writeRoutes("remote.toml", routes)
      let container = try await SeparateContainer.start(
        on: desk, hasOwnNetwork: hasOwnNetwork, isPortable: isPortable, adding: variables)
      try await body(rig, container, try await NotificationServer.start(on: desk))
      _ = await container.relay.end()
    }
  }

  @Test(arguments: [false, true])
  func `with an authorization code and PKCE gives the program there its token`(isPortable: Bool) async throws
  {
    try await Self.with(isPortable: isPortable, follows: true) { rig, container, notifications in
      let provider = try await SignInProvider.start(on: rig.desk, redirectPort: rig.port)
      async let signedIn = container.run(provider.program)
      let shown = try await notifications.next(1)
      #expect(shown.text.contains("Sign in for a program in the container work?"), "\(shown)")
      #expect(shown.text.contains("“test-cli” at port \(rig.port) of the container work "), "\(shown)")
      try await notifications.press(0, of: 1)
      let result = try await signedIn
      try SignInRig.expectToken(result)
      let visit = try await rig.visit()
      #expect(visit.page.hasSuffix("\n200") && visit.page.contains("has the answer"), "\(visit)")
      #expect(!visit.page.contains("the page of the program"), "\(visit)")
      #expect(try await rig.request("/callback", host: "127.0.0.1").status == 7)
      try await container.waitForEndOfClients()
    }
  }

  @Test(arguments: [false, true])
  func `is carried by a process that its caller does not wait for`(isPortable: Bool) async throws {
    try await Self.with(isPortable: isPortable) { rig, container, notifications in
      // A caller that reads the output of its program, also from another descriptor. The program waits at the other address of the name.
      let program = try await container.start(
        "/usr/bin/python3", "-u", "-c",
        """
        import os, socket, subprocess, sys
        port = int(sys.argv[2])
        listener = socket.create_server(("::1", port), family=socket.AF_INET6)
        reading, writing = os.pipe()
        opened = subprocess.run(
          ["usher", "open", sys.argv[1]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, pass_fds=[writing])
        os.close(writing)
        print("returned", opened.returncode, opened.stdout, os.read(reading, 1))
        peer, _ = listener.accept()
        print("received", peer.recv(4096))
        peer.sendall(b"HTTP/1.0 404 Not Found\\r\\n\\r\\n" + b"x" * 1000000)
        peer.close()
        print("sent")
        """, rig.link(), "\(rig.port)")
      _ = try await notifications.next(1)
      try await notifications.press(0, of: 1)
      #expect(try await program.line() == "returned 0 b'' b''")
      #expect(container.clients.count == 1)
      // The sign-in continues after a request that is not its answer.
      #expect(try await rig.request("/cb?code=c2&state=s2").httpStatus == 403)
      async let answered = rig.request("/cb?code=c1&state=s1", "-H", "Cookie: session=secret")
      #expect(
        try await program.line()
          == "received b'GET /cb?code=c1&state=s1 HTTP/1.1\\r\\nHost: localhost:\(rig.port)\\r\\nConnection: close\\r\\n\\r\\n'"
      )
      let page = try await answered
      #expect(page.httpStatus == 502 && page.output.contains("with the status 404"), "\(page)")
      #expect(try await program.line() == "sent")
      #expect(await program.waitUntilExit().status == 0)
    }
  }

  @Test(arguments: [false, true])
  func `whose program or client is gone ends with a page`(isPortable: Bool) async throws {
    try await Self.with(isPortable: isPortable) { rig, container, notifications in
      // The program has ended, and its container runs.
      let first = try await container.start("sh", "-c", "xdg-open \"$0\"; echo $?; exec cat", rig.link())
      _ = try await notifications.next(1)
      try await notifications.press(0, of: 1)
      #expect(try await first.line() == "0")
      let refused = try await rig.request()
      #expect(
        refused.httpStatus == 502 && refused.output.contains("start the sign-in there again"), "\(refused)")
      try await container.waitForEndOfClients()
      #expect(try await rig.request().status == 7)

      // The container has ended.
      let second = try await container.start(
        "sh", "-c", "xdg-open \"$0\"; echo $?; exec cat", rig.link(state: "s2"))
      _ = try await notifications.next(2)
      try await notifications.press(0, of: 2)
      #expect(try await second.line() == "0")
      #expect(container.clients.count == 1)
      second.kill()
      _ = await second.waitUntilExit()
      try await container.waitForEndOfClients()
      let gone = try await rig.request("/cb?code=c1&state=s2")
      #expect(gone.httpStatus == 502 && gone.output.contains("start the sign-in there again"), "\(gone)")
      first.kill()
    }
  }

  @Test(arguments: [false, true])
  func `ends with its prompt if the client is gone before the user answers`(isPortable: Bool) async throws {
    try await Self.with(isPortable: isPortable) { rig, container, notifications in
      let program = try await container.start("xdg-open", rig.link())
      _ = try await notifications.next(1)
      program.kill()
      _ = await program.waitUntilExit()
      try await notifications.waitForClose(of: 1)
      // A click that was on its way has no effect, and the next question does not wait behind the first one.
      try await notifications.press(0, of: 1)
      async let opened = container.run("xdg-open", rig.link(state: "s2"))
      _ = try await notifications.next(2)
      #expect(try await rig.request().status == 7)
      try await notifications.press(0, of: 2)
      #expect(try await opened.status == 0)
      #expect(try await rig.request("/cb?code=c1&state=s1").httpStatus == 403)
    }
  }

  /// Functions in Python of a client that speaks the protocol of relays itself.
  private static let relayClient = """
    import socket, struct, sys
    def connect(*texts):
      peer = socket.socket(socket.AF_UNIX)
      peer.connect("/run/usher/socket")
      content = b"".join(text.encode() + b"\\0" for text in texts)
      peer.sendall(b"usher-remote-1\\n" + struct.pack(">I", len(content)) + content)
      stream = peer.makefile("rb")
      stream.readline()
      return peer, stream
    def next(stream, kind):
      while True:
        texts = stream.read(struct.unpack(">I", stream.read(4))[0]).decode().split("\\0")
        if texts[0] == kind:
          return dict(zip(texts[1::2], texts[2::2]))

    """

  @Test func `is not ended by another request with its ID`() async throws {
    try await Self.with { rig, container, notifications in
      let program = try await container.start(
        "/usr/bin/python3", "-u", "-c",
        Self.relayClient + """
          peer, stream = connect("open", "id", "one", "url", sys.argv[1], "accepts", "carry")
          print("stays", "stay" in next(stream, "result"))
          print("other", next(connect("open", "id", "one", "url", "https://accounts.example/")[1], "result")["status"])
          print("carry", next(stream, "carry")["target"])
          """, rig.link())
      _ = try await notifications.next(1)
      try await notifications.press(0, of: 1)
      #expect(try await program.line() == "stays True")
      #expect(try await program.line() == "other 64")
      async let answered = rig.request("/cb?code=c1&state=s1")
      #expect(try await program.line() == "carry /cb?code=c1&state=s1")
      program.kill()
      #expect(try await answered.httpStatus == 502)
    }
  }

  @Test func `gives way to a new one if its client is gone`() async throws {
    try await Self.with { rig, container, notifications in
      // At most four sign-ins of a machine wait for their answers.
      for number in 1...6 {
        let program = try await container.start(
          "sh", "-c", "xdg-open \"$0\"; echo $?; exec cat",
          rig.link(state: "s\(number)", port: try await SignInRig.freePort()))
        _ = try await notifications.next(number)
        try await notifications.press(0, of: number)
        #expect(try await program.line() == "0")
        program.kill()
        _ = await program.waitUntilExit()
        try await container.waitForEndOfClients()
      }
    }
  }

  @Test(arguments: [false, true])
  func `keeps no client when its time has passed, or another one replaces it`(isPortable: Bool) async throws {
    try await Self.with(isPortable: isPortable, adding: ["USHER_TEST_SIGN_IN": "20"]) {
      rig, container, notifications in
      let program = try await container.start(
        "sh", "-c", "for state in s1 s2; do xdg-open \"$0$state\"; echo $?; done; exec cat",
        // The state is the end of the link.
        rig.link(state: "").replacing("&state=", with: "") + "&state=")
      for number in 1...2 {
        _ = try await notifications.next(number)
        try await notifications.press(0, of: number)
        #expect(try await program.line() == "0")
      }
      try await container.waitForEndOfClients()
      #expect(try await rig.request().status == 7)
      program.kill()
    }
  }

  @Test func `that could not be carried, or has a port that is in use, is refused without a prompt`()
    async throws
  {
    try await Self.with { rig, container, notifications in
      // A client of an earlier version.
      let old = try await container.run(
        "/usr/bin/python3", "-c",
        Self.relayClient + """
          peer, stream = connect("open", "id", "one", "url", sys.argv[1])
          print(next(stream, "result"))
          """, rig.link())
      #expect(
        old.output.contains("'status': '3'") && old.output.contains("too old to carry the answer"), "\(old)")
      #expect(
        old.output.contains("usher remote setup --container") && old.output.contains(rig.link()), "\(old)")
      // The link of `usher remote register --open`.
      let registering = try await container.run(
        "/usr/bin/python3", "-c",
        Self.relayClient + """
          peer, stream = connect("open", "id", "register-1", "url", sys.argv[1])
          print(next(stream, "result"))
          """, rig.link())
      #expect(
        registering.output.contains("'status': '3'")
          && registering.output.contains("open this with usher open")
          && !registering.output.contains("too old"), "\(registering)")

      let service = try await rig.occupy()
      let used = try await container.run("xdg-open", rig.link())
      #expect(used.status == 4 && used.errorOutput.contains("is in use on the desktop"), "\(used)")
      service.kill()
      _ = await service.waitUntilExit()
      let low = try await container.run("xdg-open", rig.link(port: 631))
      #expect(low.status == 4 && low.errorOutput.contains("belongs to a service of the system"), "\(low)")

      // The user was asked about none of these.
      async let opened = container.run("xdg-open", rig.link())
      _ = try await notifications.next(1)
      try await notifications.press(0, of: 1)
      #expect(try await opened.status == 0)
    }
  }

  /// The relay reads a sign-in in such a link only when the broker has unwrapped it, and gives the broker the reason.
  @Test func `that could not be carried is refused without a trace of the link, also if a route unwraps it`()
    async throws
  {
    let routes = """
      [route.click]
      match   = "https://l.example/?u={u}"
      rewrite = { unwrap = "u" }
      """
    try await Self.with(routes: routes) { rig, container, _ in
      let (desk, secret) = (rig.desk, "S3CR3T")
      let monitor = try await RunningProgram.start(
        "usher", ["monitor", "--json"], environment: desk.desktop.environment)
      _ = try await monitor.line { $0.contains("watching") }
      let wrapped = rig.link(state: secret).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let refused = try await container.run(
        "/usr/bin/python3", "-c",
        Self.relayClient + """
          peer, stream = connect("open", "id", "register-1", "url", sys.argv[1])
          print(next(stream, "result"))
          """, "https://l.example/?u=\(wrapped)")
      let reason = "open this with usher open"
      #expect(refused.output.contains("'status': '3'") && refused.output.contains(reason), "\(refused)")
      _ = try await monitor.line { $0.contains(reason) }
      let history = try await desk.usher("history", "--json")
      #expect(history.output.contains(reason) && !history.output.contains(secret), "\(history)")
      monitor.terminate()
      let watched = await monitor.waitUntilExit()
      #expect(!watched.output.contains(secret), "\(watched)")
    }
  }

  @Test func `is answered without a detour where the network is that of the desktop`() async throws {
    try await Self.with(hasOwnNetwork: false, follows: true) { rig, container, notifications in
      let provider = try await SignInProvider.start(on: rig.desk, redirectPort: rig.port)
      async let signedIn = container.run(provider.program)
      _ = try await notifications.next(1)
      try await notifications.press(0, of: 1)
      let result = try await signedIn
      #expect(result.status == 0 && result.output.contains("token-of-ada"), "\(result)")
      let visit = try await rig.visit()
      #expect(visit.page == "the page of the program\n200", "\(visit)")
      #expect(container.clients.isEmpty)
    }
  }

  @Test func `is received by the unit of the relay`() async throws {
    guard try await Command.run("bwrap", ["--unshare-net", "--ro-bind", "/", "/", "true"]).succeeded else {
      try Test.cancel("no container with a network of its own can be made here")
    }
    let port = try await SignInRig.freePort()
    let link =
      "https://accounts.example/authorize?response_type=code&client_id=cli&state=s1"
      + "&redirect_uri=http%3A%2F%2Flocalhost%3A\(port)%2Fcb"
    try await Session.with { session in
      try session.desktop.installDesktopEntry(
        "org.example.Browser", exec: "/bin/true %u", schemes: ["http", "https"])
      let ids = ["org.usher.Handler", "org.example.Browser"]
      try session.desktop.setDefaults(["http": ids, "https": ids])
      try session.desktop.write(
        """
        import socket, subprocess, sys
        listener = socket.create_server(("127.0.0.1", int(sys.argv[2])))
        print("opened", subprocess.run(["xdg-open", sys.argv[1]]).returncode, flush=True)
        peer, _ = listener.accept()
        print(peer.recv(4096).split(b"\\r\\n")[0].decode(), flush=True)
        peer.sendall(b"HTTP/1.1 200 OK\\r\\n\\r\\n")
        """, to: "home/program.py")
      // The FIFOs are opened for both directions, so that they can be written without a reader. The shell keeps the second one open,
      // because unread lines are lost once no process has their FIFO open.
      _ = try await session.must(
        """
        mkfifo "$HOME/shown" "$HOME/printed"
        exec 8<>"$HOME/printed"
        python3 -u -m dbusmock --session --template notification_daemon -p '{"capabilities": "body actions"}' \
          1<>"$HOME/shown" 2>/dev/null &
        gdbus wait --session --timeout 240 org.freedesktop.Notifications
        \(NotificationServer.waitForReply)
        systemctl --user start usher-remote@work 2>&1
        """)
      _ = try await session.must(
        """
        bwrap --unshare-net --unshare-pid --ro-bind / / --dev /dev --proc /proc --tmpfs /run \
          --ro-bind "$XDG_RUNTIME_DIR/usher-container-work" /run/usher --setenv USHER_SOCKET /run/usher/socket \
          --ro-bind '\(BuiltProducts.usher)' /run/usher-client/xdg-open --setenv PATH /run/usher-client:/usr/bin:/bin \
          python3 "$HOME/program.py" '\(link)' \(port) >&8 2>&1 &
        """)
      let key = try await session.must("grep -m 1 -oE '[0-9a-f]{32}-0' <\"$HOME/shown\"").joined()
      _ = try await session.must(
        "busctl --user call org.freedesktop.Notifications /org/freedesktop/Notifications org.freedesktop.DBus.Mock "
          + "EmitSignal sssav org.freedesktop.Notifications ActionInvoked us 2 u 1 s \(key)")
      #expect(try await session.must("read -r line <&8 && echo \"$line\"") == ["opened 0"])
      #expect(
        try await session.must(
          "curl -sS -o /dev/null -w '%{http_code}\\n' 'http://localhost:\(port)/cb?code=c1&state=s1'") == [
            "200"
          ])
      #expect(
        try await session.must("read -r line <&8 && echo \"$line\"")
          == ["GET /cb?code=c1&state=s1 HTTP/1.1"])
    }
  }
}
