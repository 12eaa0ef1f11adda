// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// Sign-ins of a program on another machine, at a relay; the test stands for the command that carries the answer to the machine.
@Suite struct `The sign-in of a program on another machine` {
  private static func with(
    _ variables: [String: String] = [:], routes: String = "", hasPrompts: Bool = true,
    _ body: @Sendable (SignInRig, RemoteRig, NotificationServer?) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let rig = try await SignInRig.install(on: desk)
      try desk.desktop.writeRoutes("remote.toml", routes)
      let server = hasPrompts ? try await NotificationServer.start(on: desk) : nil
      let relay = try await RemoteRig.start(on: desk, adding: variables)
      try await body(rig, relay, server)
      _ = await relay.end()
    }
  }

  /// Opens a link on the machine, waits for the prompt with this number, and allows the sign-in.
  private static func allow(
    _ link: String, _ number: Int, _ relay: RemoteRig, _ server: NotificationServer?
  ) async throws -> CommandResult {
    let server = try #require(server)
    async let opened = relay.open(link)
    _ = try await server.next(number)
    try await server.press(0, of: number)
    return try await opened
  }

  @Test func `is carried once after a prompt, without cookies, and answered with a page of the relay`()
    async throws
  {
    try await Self.with { rig, relay, server in
      let server = try #require(server)
      async let opened = relay.open(rig.link())
      let shown = try await server.next(1)
      for text in [
        "Sign in for a program on build.example.org?", "The machine build.example.org wants",
        "https://accounts.example,", "“cli” at port \(rig.port) of build.example.org", "Sign In",
      ] {
        #expect(shown.text.contains(text), "\(shown)")
      }
      #expect(!shown.text.contains("s1") && !shown.text.contains("code_challenge"))
      // Nothing listens before the user has allowed it.
      #expect(try await rig.request().status == 7)
      try await server.press(0, of: 1)
      #expect(try await opened.status == 0)
      #expect(try await rig.visit().url == rig.link())

      async let answered = rig.request(
        "/cb?code=c1&state=s1&x=%20y", "-H", "Cookie: session=secret", "-H", "Authorization: Basic c2VjcmV0",
        "-e",
        "https://accounts.example/secret")
      let line = try await relay.carryLine()
      #expect(line == "carry 1 localhost \(rig.port) /cb?code=c1&state=s1&x=%20y")
      // The port is closed before the answer is carried.
      #expect(try await rig.request().status == 7)
      relay.answer("carried 1 200")
      let page = try await answered
      #expect(
        page.httpStatus == 200 && page.output.contains("The program on build.example.org has the answer"))
      #expect(!page.output.contains("c1"))
      #expect(try await rig.request().status == 7)
    }
  }

  @Test func `is one request with the path, the state, the host and the port of the link`() async throws {
    try await Self.with { rig, relay, server in
      #expect(try await Self.allow(rig.link(), 1, relay, server).status == 0)
      let good = "/cb?code=c1&state=s1"
      let long = String(repeating: "a", count: 20_000)
      let attacks: [(Int, [String], String)] = [
        (403, [], "/cb?code=c1&state=s2"), (403, [], "/cb?code=c1"), (403, [], "\(good)&state=s1"),
        (404, [], "/?code=c1&state=s1"), (404, [], "/favicon.ico"),
        (404, ["--path-as-is"], "/x/../cb?state=s1"),
        (405, ["-X", "POST"], good), (400, ["-X", "GET", "-d", "code=c2"], good), (405, ["-I"], good),
        (405, ["-d", "code=c1&state=s1"], "/cb"), (431, ["-H", "Cookie: \(long)"], good),
        (431, [], "\(good)&x=\(long)"), (421, ["-H", "Host: evil.example:\(rig.port)"], good),
        (421, ["-H", "Host: 127.0.0.1:\(rig.port)"], good), (421, ["-H", "Host: localhost"], good),
        (421, ["-H", "Host: localhost:\(rig.port + 1)"], good), (400, ["-H", "Host:"], good),
        (400, ["--http1.0", "-H", "Host:"], good), (403, ["--http1.0"], "/cb?code=c1&state=s2"),
        (403, ["-H", "Sec-Fetch-Dest: iframe"], good),
      ]
      for (status, options, target) in attacks {
        let result = try await Command.run(
          "curl",
          ["-sS", "-o", "/dev/null", "-w", "%{http_code}"] + options + [
            "http://localhost:\(rig.port)\(target)"
          ])
        #expect(result.output == "\(status)", "\(options) \(target) \(result)")
      }
      // A program that connects and sends nothing, or something else, delays no other one.
      let foreign = try await Command.run(
        "/usr/bin/python3",
        [
          "-c",
          """
          import socket, sys
          idle = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
          peer = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
          peer.sendall(bytes(range(1, 256)) + b"\\r\\n\\r\\n")
          print(peer.recv(64))
          """, "\(rig.port)",
        ])
      #expect(foreign.output.contains("HTTP/1.1 400"), "\(foreign)")
      // A program that stands for the browser, such as curl, may speak HTTP/1.0.
      async let answered = rig.request(good, "--http1.0")
      #expect(try await relay.carryLine() == "carry 1 localhost \(rig.port) \(good)")
      relay.answer("carried 1 302")
      #expect(try await answered.httpStatus == 200)
    }
  }

  @Test(arguments: [false, true])
  func `is reported as waiting to a client, which would give up otherwise`(isFallback: Bool) async throws {
    try await Self.with { rig, relay, server in
      let server = try #require(server)
      let client = try await RawRemoteClient.connect(to: relay)
      let link = isFallback ? ["url", "no-such-scheme:x", "fallback", rig.link()] : ["url", rig.link()]
      try client.send(["open", "id", "one"] + link)
      _ = try await server.next(1)
      let progress = try await client.next("progress")
      #expect(progress["text"]?.string == "the desktop asks its user about this sign-in", "\(progress)")
      try await server.press(0, of: 1)
      let result = try await client.next("result")
      #expect(result["status"]?.string == "0", "\(result)")
    }
  }

  @Test func `is prompted for each time, and never stored`() async throws {
    let routes = """
      [route.all]
      scheme = ["http", "https"]
      source = { remote = "build.example.org" }
      allow  = true
      """
    try await Self.with(routes: routes) { rig, relay, server in
      let server = try #require(server)
      let desk = rig.desk
      try await desk.run(
        "usher", ["grants", "allow", "--remote", "build.example.org", "--scheme", "https"]
      ).orThrow()
      let before = try await desk.usher("grants", "list").output
      #expect(try await Self.allow(rig.link(), 1, relay, server).status == 0)
      _ = try await rig.visit()
      // The first sign-in is replaced after the user has allowed the second one, and the second one continues if the user refuses a third.
      #expect(try await Self.allow(rig.link(state: "s2"), 2, relay, server).status == 0)
      #expect(try await rig.visit().url == rig.link(state: "s2"))
      async let opened = relay.open(rig.link(state: "s3"))
      _ = try await server.next(3)
      try await server.press(1, of: 3)
      let refused = try await opened
      #expect(refused.status == 3 && refused.errorOutput.contains("the user refused it"), "\(refused)")
      for state in ["s1", "s3"] { #expect(try await rig.request("/cb?state=\(state)").httpStatus == 403) }
      // A machine cannot ask until the user gives in.
      let again = try await relay.open(rig.link(state: "s4"))
      #expect(again.status == 3 && again.errorOutput.contains("is not asked again yet"), "\(again)")
      #expect(try await desk.usher("grants", "list").output == before)
      // Other links of the machine need no prompt.
      #expect(try await relay.open("https://accounts.example/help").status == 0)
      #expect(try await rig.visit().url == "https://accounts.example/help")
    }
  }

  /// The broker reads more links as sign-ins than the relay sees in a request.
  @Test func `is not asked about again in another form after a refusal`() async throws {
    let routes = """
      [route.click]
      match   = "https://l.example/?u={u}"
      rewrite = { unwrap = "u" }
      """
    try await Self.with(routes: routes) { rig, relay, server in
      let server = try #require(server)
      func forms(_ state: String) -> [[String]] {
        let link = rig.link(state: state)
        let wrapped = link.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return [[link + " "], ["--fallback", link, "no-such-scheme:x"], ["https://l.example/?u=\(wrapped)"]]
      }
      for (number, words) in forms("s1").enumerated() {
        async let opened = relay.run(["open"] + words)
        _ = try await server.next(number + 1)
        try await server.press(0, of: number + 1)
        let allowed = try await opened
        #expect(allowed.status == 0, "\(words): \(allowed)")
        #expect(try await rig.visit().url == rig.link(), "\(words)")
      }
      async let opened = relay.run(["open", rig.link(state: "s2") + " "])
      _ = try await server.next(4)
      try await server.press(1, of: 4)
      #expect(try await opened.status == 3)
      for words in forms("s3") {
        let refused = try await relay.run(["open"] + words)
        #expect(refused.status != 0 && refused.errorOutput.contains("is not asked again yet"), "\(refused)")
      }
    }
  }

  @Test func `is refused where no prompt can be shown`() async throws {
    try await Self.with(hasPrompts: false) { rig, relay, _ in
      for words in [[rig.link()], ["--app", "org.example.Browser", rig.link()]] {
        let refused = try await relay.run(["open"] + words)
        #expect(
          refused.status == 3 && refused.errorOutput.contains("the user is asked each time"), "\(refused)")
      }
      let explained = try await rig.desk.usher("explain", "--remote", "build.example.org", rig.link())
      #expect(explained.output.contains("signs in at https://accounts.example"), "\(explained)")
      #expect(explained.output.contains("the rule for sign-ins of other machines"), "\(explained)")
      #expect(try await rig.request().status == 7)
    }
  }

  @Test func `needs a port that no program here uses, before and after the prompt`() async throws {
    try await Self.with { rig, relay, server in
      let server = try #require(server)
      for address in ["127.0.0.1", "0.0.0.0", "::1"] {
        let service = try await rig.occupy(address)
        let refused = try await relay.open(rig.link())
        #expect(refused.status == 3 && refused.errorOutput.contains("port \(rig.port)"), "\(refused)")
        #expect(refused.errorOutput.contains("is in use on the desktop"), "\(refused)")
        service.kill()
        _ = await service.waitUntilExit()
      }
      async let opened = relay.open(rig.link())
      // The user was asked about none of these.
      _ = try await server.next(1)
      let service = try await rig.occupy()
      try await server.press(0, of: 1)
      let refused = try await opened
      #expect(refused.status == 3 && refused.errorOutput.contains("is in use on the desktop"), "\(refused)")
      service.kill()
      _ = await service.waitUntilExit()
      #expect(try await rig.request().status == 7)
    }
  }

  @Test func `with an unclear redirect, or one to a service of the system, is refused without a prompt`()
    async throws
  {
    try await Self.with { rig, relay, server in
      for link in [
        rig.link(port: 631), rig.link() + "&redirect_uri=http%3A%2F%2Flocalhost%3A\(rig.port + 1)%2F",
        "https://accounts.example/login?next=%2Fauthorize%3Fredirect_uri%3Dhttp%253A%252F%252Flocalhost%253A\(rig.port)%252F",
        rig.link().replacing("&state=s1", with: ""), rig.link() + "&response_mode=form_post",
      ] {
        let refused = try await relay.open(link)
        #expect(refused.status == 3 && refused.errorOutput.contains("sign-in for a program"), "\(refused)")
      }
      let several = try await relay.open(rig.link(), "nothing:1")
      #expect(several.status != 0 && several.errorOutput.contains("open its link alone"), "\(several)")
      // A redirect to another machine is an ordinary link, for which nothing listens here.
      let other = rig.link().replacing("localhost", with: "192.0.2.1")
      async let opened = relay.open(other)
      let server = try #require(server)
      let shown = try await server.next(1)
      #expect(shown.text.contains("Open this https: link?"), "\(shown)")
      try await server.press(0, of: 1)
      #expect(try await opened.status == 0)
      #expect(try await rig.visit().url == other)
      #expect(try await rig.request().status == 7)
    }
  }

  @Test func `ends when its time has passed`() async throws {
    try await Self.with(["USHER_TEST_SIGN_IN": "3"]) { rig, relay, server in
      #expect(try await Self.allow(rig.link(), 1, relay, server).status == 0)
      // The relay closes the connection at the end.
      _ = try await Command.run(
        "/usr/bin/python3",
        [
          "-c",
          """
          import socket, sys
          try:
            socket.create_connection(("127.0.0.1", int(sys.argv[1]))).recv(1)
          except ConnectionError:
            pass
          """, "\(rig.port)",
        ]
      ).orThrow()
      #expect(try await rig.request().status == 7)
    }
  }

  @Test func `ends with the relay`() async throws {
    try await Self.with { rig, relay, server in
      let allowed = try await Self.allow(rig.link(host: "127.0.0.1"), 1, relay, server)
      #expect(allowed.status == 0, "\(allowed)")
      #expect(try await rig.request("/", host: "127.0.0.1").httpStatus == 404)
      // A redirect to 127.0.0.1 needs no other address.
      #expect(try await rig.request("/", host: "[::1]").status == 7)
      await relay.kill()
      #expect(try await rig.request("/", host: "127.0.0.1").status == 7)
    }
  }

  @Test func `shows in the browser that the program on the machine is gone`() async throws {
    try await Self.with { rig, relay, server in
      #expect(try await Self.allow(rig.link(), 1, relay, server).status == 0)
      async let answered = rig.request()
      _ = try await relay.carryLine()
      // Other numbers and lines have no effect.
      for line in ["failed 7", "carried 7 200", "carried 1", "nonsense", "failed 1"] { relay.answer(line) }
      let page = try await answered
      #expect(page.httpStatus == 502 && page.output.contains("start the sign-in there again"), "\(page)")
    }
  }

  @Test func `lets stored answers open no other web link of the machine while it waits`() async throws {
    try await Self.with { rig, relay, server in
      let server = try #require(server)
      try await rig.desk.run(
        "usher", ["grants", "allow", "--remote", "build.example.org", "--scheme", "https"]
      ).orThrow()
      let page = "https://other.example/r"
      async let signedIn = relay.open(rig.link())
      _ = try await server.next(1)
      // Also while the user is asked about the sign-in.
      let client = try await RawRemoteClient.connect(to: relay)
      try client.send(["open", "id", "early", "url", page, "timeout", "240000000"])
      try await client.settle()
      try await server.press(0, of: 1)
      #expect(try await signedIn.status == 0)
      #expect(try await rig.visit().url == rig.link())
      let shown = try await server.next(2)
      #expect(
        shown.text.contains("Open this https: link?")
          && shown.text.contains("a sign-in of the machine waits"),
        "\(shown)")
      try await server.press(1, of: 2)
      #expect(try await client.next("result")["status"]?.string == "3")
      async let opened = relay.open("--timeout=\(timeLimit(240))", page)
      _ = try await server.next(3)
      try await server.press(0, of: 3)
      #expect(try await opened.status == 0)
      #expect(try await rig.visit().url == page)
      async let answered = rig.request()
      _ = try await relay.carryLine()
      relay.answer("carried 1 200")
      #expect(try await answered.httpStatus == 200)
      let later = try await relay.open("--timeout=\(timeLimit(240))", page)
      #expect(later.status == 0, "\(later)")
      #expect(try await rig.visit().url == page)
    }
  }

  /// The machine has chosen the redirect and the `state`, and may have led the browser to another site with them.
  @Test func `shows in the browser that another site may have answered`() async throws {
    try await Self.with { rig, relay, server in
      #expect(try await Self.allow(rig.link(), 1, relay, server).status == 0)
      let twice = "/cb?code=c1&state=s1&iss=https://accounts.example&iss=https://other.example"
      #expect(try await rig.request(twice).httpStatus == 403)
      async let answered = rig.request("/cb?code=c1&state=s1&iss=https%3A%2F%2Fother.example%2Foauth2")
      _ = try await relay.carryLine()
      // A program that has the answer can be silent about it.
      relay.answer("failed 1")
      let page = try await answered
      #expect(
        page.httpStatus == 502 && page.output.contains("The answer names other.example as its issuer"),
        "\(page)")
    }
  }

  @Test func `is announced to the relay by the broker alone`() async throws {
    try await Self.with { rig, relay, _ in
      let names = try await rig.desk.run("busctl", ["--user", "list", "--no-legend", "--unique"]).output
      let name = names.split(separator: "\n").first { line in
        line.split(separator: " ").dropFirst().first == "\(relay.processIdentifier)"
      }?.split(separator: " ").first
      let refused = try await rig.desk.run(
        "gdbus",
        [
          "call", "--session", "--dest", String(try #require(name, "\(names)")), "--object-path",
          "/org/usher/Relay1",
          "--method", "org.usher.Relay1.ExpectRedirect", "x", "https://accounts.example", "localhost",
          "\(rig.port)",
          "/cb", "s1",
        ])
      #expect(
        refused.status != 0 && refused.errorOutput.contains("only the broker may call a relay"),
        "\(refused)")
      #expect(try await rig.request().status == 7)
    }
  }
}
