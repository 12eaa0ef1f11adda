// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import Scenes
import TestSupport
import Testing

@Suite struct `Answers by URL` {
  /// A program that answers as its action says, through the opener in its Exec line.
  private static let answerer = """
    #!/usr/bin/python3
    import subprocess, sys, urllib.parse
    *opener, url = sys.argv[1:]
    parts = urllib.parse.urlsplit(url)
    asked = dict(urllib.parse.parse_qsl(parts.query))
    action = parts.path.strip("/")
    assert asked["x-source"] in ("usher", "org.example.Asker"), asked
    said = {"success": "?id=7&text=S3CR3T%20%26%20honey", "error": "?errorCode=404&errorMessage=no%20such%20note",
            "cancel": "", "again": "?id=8"}
    for kind in {"twice": ["success", "again", "error"], "never": []}.get(action, [action]):
        subprocess.run(opener + [asked["x-" + kind.replace("again", "success")] + said[kind]], check=True)

    """

  private static func install(_ desktop: ThrowAwayDesktop, answersBy opener: String) async throws {
    let script = try desktop.installScript("answerer", answerer)
    try desktop.installDesktopEntry(
      "org.example.Answerer", exec: "\(script) \(opener) %u", schemes: ["answer"])
    try desktop.setDefaults(["answer": ["org.usher.Handler", "org.example.Answerer"]])
    try await desktop.installCallback()
  }

  private static func waits(_ desktop: ThrowAwayDesktop) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: desktop.runtimeDirectory + "/usher")
      .filter { $0.hasPrefix("callback-") }
  }

  @Test(arguments: ["usher open", "xdg-open", "gio open", "env XDG_CURRENT_DESKTOP=GNOME xdg-open"])
  func `reach the calling command through every opener`(_ opener: String) async throws {
    try await InstalledDesktop.with { desk in
      try await Self.install(desk.desktop, answersBy: opener)
      let broker = try await desk.startBroker()
      func ask(_ action: String, _ words: String...) async throws -> CommandResult {
        try await desk.run("usher", ["open", "--callback"] + words + ["answer://x-callback-url/\(action)"])
      }
      let success = try await ask("success")
      #expect(success.status == 0 && success.output == "id: 7\ntext: S3CR3T & honey\n", "\(success)")
      let line = try await ask("success", "--json").output
      let json = try PropertyList(json: line)
      #expect(json["answer"] == "success" && json["values"] == ["id": "7", "text": "S3CR3T & honey"])
      let error = try await ask("error", "--source-application", "org.example.Asker")
      #expect(error.status == 6 && error.errorOutput.contains("no such note (404)"), "\(error)")
      let errorLine = try await ask("error", "--json").output
      let reported = try PropertyList(json: errorLine)
      #expect(reported["error-code"] == "404" && reported["error-message"] == "no such note")
      let cancel = try await ask("cancel")
      #expect(
        cancel.status == 9 && cancel.output == "" && cancel.errorOutput.contains("cancelled"), "\(cancel)")
      let lines = [line, errorLine, try await ask("cancel", "--json").output]
      #expect(try await JSONSchema("usher-open-callback").diagnostics(about: lines) == [])
      // The first answer to arrive counts, because some openers do not wait for the program that they start. The others
      // find no waiting command, and their openers succeed.
      let once = try await ask("twice")
      let outputs = ["id: 7\ntext: S3CR3T & honey\n", "id: 8\n", ""]
      #expect(outputs.contains(once.output) && once.status == (once.output == "" ? 6 : 0), "\(once)")
      #expect(try Self.waits(desk.desktop).isEmpty)
      let never = try await ask("never", "--timeout", "0.5", "--json")
      #expect(never.status == 5, "\(never)")
      #expect(try PropertyList(json: never.output)["error"] == "org.usher.Error.Timeout")

      try await desk.desktop.waitUntilNoProcess(but: ["usherd", "dbus-daemon"])
      broker.program.terminate()
      let log = await broker.program.waitUntilExit()
      #expect(!log.errorOutput.contains("S3CR3T") && !log.output.contains("S3CR3T"), "\(log)")
      let history = try await desk.usher("history", "--json")
      #expect(!history.output.contains("S3CR3T"), "\(history)")
    }
  }

  @Test(arguments: ["usher open", "xdg-open", "gio open"])
  func `need no broker and no bus`(_ opener: String) async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    try await Self.install(desktop, answersBy: opener)
    let result = try await Command.run(
      "usher", ["open", "--callback", "answer://x-callback-url/success"], environment: desktop.environment)
    #expect(result.status == 0 && result.output == "id: 7\ntext: S3CR3T & honey\n", "\(result)")
  }

  @Test func `are not awaited if they could not arrive`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    func ask(_ url: String) async throws -> CommandResult {
      try await Command.run("usher", ["open", "--callback", url], environment: desktop.environment)
    }
    let missing = try await ask("answer://x-callback-url/success")
    #expect(missing.status == 2 && missing.errorOutput.contains("org.usher.Callback.desktop"), "\(missing)")
    try await Self.install(desktop, answersBy: "usher open")
    let unhandled = try await ask("nobody://x-callback-url/success")
    #expect(unhandled.status == 2, "\(unhandled)")
    let taken = try await ask("answer://x-callback-url/success?x-success=a:b")
    #expect(taken.status == 64 && taken.errorOutput.contains("x-success"), "\(taken)")
  }

  @Test func `without a waiting caller, and invalid answers, are dropped`() async throws {
    let desktop = try ThrowAwayDesktop(hasBus: false)
    try desktop.installUsher()
    func bring(_ url: String) async throws -> CommandResult {
      try await Command.run("usher", ["answer", url], environment: desktop.environment)
    }
    let late = try await bring(CallbackAddress(scheme: "usher-callback").url(of: .success) + "?id=S3CR3T")
    #expect(late.status == 0 && late.errorOutput.contains("too late"), "\(late)")
    #expect(!late.errorOutput.contains("S3CR3T"))
    #expect(try await bring("usher-callback://x-callback-url/usher-answer/../../x/success").status == 64)
    #expect(try await bring(CallbackAddress(scheme: "notes").url(of: .success)).status == 64)
  }

  @Test func `cause no findings of usher doctor`() async throws {
    try await InstalledDesktop.with { desk in
      try await desk.desktop.installCallback()
      let doctor = try await desk.usher("doctor")
      #expect(!doctor.output.contains("allback") && !doctor.errorOutput.contains("allback"), "\(doctor)")
      let handlers = try await desk.usher(
        "explain", CallbackAddress(scheme: "usher-callback").url(of: .cancel))
      #expect(handlers.output.contains("org.usher.Callback"), "\(handlers)")
    }
  }

  @Test func `count although the application then replies with an error`() async throws {
    try await InstalledDesktop.with { desk in
      try await desk.desktop.installCallback()
      try desk.desktop.installDesktopEntry(
        "org.example.Maker", exec: "/bin/false", schemes: ["maker"],
        lines: ["Implements=org.usher.Application1;"])
      try desk.desktop.setDefaults(["maker": ["org.usher.Handler", "org.example.Maker"]])
      let broker = try await desk.startBroker()
      let maker = try await desk.serve("org.example.Maker") { request, _ in
        let url = try #require(try XCallbackURL(request.urlString))
        // The answer has arrived when this command exits.
        let answer = try await desk.usher("answer", try #require(url.cancel))
        #expect(answer.status == 0 && answer.errorOutput == "", "\(answer)")
        throw CancellationError()
      }
      let result = try await desk.usher("open", "--callback", "--json", "maker://x-callback-url/make")
      #expect(result.status == 9, "\(result)")
      #expect(try PropertyList(json: result.output)["answer"] == "cancel")
      maker.cancel()
      #expect(try await maker.value == .stopped)
      broker.program.terminate()
      _ = await broker.program.waitUntilExit()
    }
  }

  /// The command read its socket only after the reply.
  @Test func `are printed before the application replies`() async throws {
    try await InstalledDesktop.with { desk in
      try await desk.desktop.installCallback()
      try desk.desktop.installDesktopEntry(
        "org.example.Maker", exec: "/bin/false", schemes: ["maker"],
        lines: ["Implements=org.usher.Application1;"])
      try desk.desktop.setDefaults(["maker": ["org.usher.Handler", "org.example.Maker"]])
      let broker = try await desk.startBroker()
      let (exited, exit) = AsyncStream<Void>.makeStream()
      defer { exit.finish() }
      let maker = try await desk.serve("org.example.Maker") { request, _ in
        let url = try #require(try XCallbackURL(request.urlString))
        try await desk.usher("answer", try #require(url.cancel)).orThrow()
        // The command exits without the reply.
        for await _ in exited {}
        return .handled
      }
      // Longer than the deadline of the command, so that it does not print the answer when it gives up.
      let result = try await desk.usher(
        "open", "--callback", "--json", "--timeout", timeLimit(600), "maker://x-callback-url/make")
      exit.finish()
      #expect(result.status == 9, "\(result)")
      #expect(try PropertyList(json: result.output)["answer"] == "cancel")
      maker.cancel()
      #expect(try await maker.value == .stopped)
      broker.program.terminate()
      _ = await broker.program.waitUntilExit()
    }
  }

  @Test func `pass between two applications on Scenes, once`() async throws {
    try await InstalledDesktop.with { desk in
      for name in ["Asker", "Maker"] {
        try desk.desktop.installDesktopEntry(
          "org.example.\(name)", exec: "/bin/false", schemes: [name.lowercased()],
          lines: ["Implements=org.usher.Application1;"])
      }
      try desk.desktop.setDefaults([
        "asker": ["org.usher.Handler", "org.example.Asker"],
        "maker": ["org.usher.Handler", "org.example.Maker"],
      ])
      let broker = try await desk.startBroker()
      let log = Log()
      let maker = try await desk.serve("org.example.Maker", answersCallbacks: true) { request, _ in
        log.add(request.callback?.url["text"] ?? "")
        return .handled(["id": 7])
      }
      let asker = try await desk.serve("org.example.Asker") { request, application in
        guard request.urlString.hasPrefix("asker:start") else {
          log.add("a link: \(request.urlString)")
          return .handled
        }
        let answer = try await application.open(
          "maker://x-callback-url/make?text=milk", callbackURLScheme: "asker")
        guard case .success(let values) = answer else { return .notHandled }
        return .handled(.string(values.map { "\($0.name)=\($0.value)" }.joined()))
      }
      let report = try await desk.open("--wait", "handled", "asker:start")
      #expect(report.status == 0 && report.first?["value"] == "id=7", "\(report)")
      #expect(try await log.next() == "milk")
      let late = CallbackAddress(scheme: "asker").url(of: .success)
      #expect(try await desk.open("--wait", "handled", late).error == "NotHandled")
      for application in [maker, asker] {
        application.cancel()
        #expect(try await application.value == .stopped)
      }
      #expect(await log.finish() == [])
      broker.program.terminate()
      _ = await broker.program.waitUntilExit()
    }
  }
}

extension InstalledDesktop {
  /// Runs an application on `Scenes` in the test's own process; returns when it owns its name.
  fileprivate func serve(
    _ id: String, answersCallbacks: Bool = false,
    _ handler: @escaping @concurrent @Sendable (SceneRequest, Application) async throws -> SceneResult
  ) async throws -> Task<SceneApplication.RunResult, any Error> {
    var application = SceneApplication(id)
    application.bus = .address(bus.address)
    application.arguments = []
    (application.runtimeDirectory, application.stateDirectory) = (nil, nil)
    application.terminationSignals = []
    application.answersCallbacks = answersCallbacks
    let name = try #require(BusName(id))
    let observer = try await connect()
    let owners = try await observer.owners(of: name)
    let run = Task { [application] in try await application.run(handler) }
    let owner = try await withDeadline(Command.defaultDeadline, "the name of \(id)") {
      await owners.first { $0 != nil } ?? nil
    }
    guard owner != nil else { throw TestSupportError("\(id) does not come up") }
    await observer.close()
    return run
  }
}
