// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// Downloads with a full disk, a server that sends nothing, and an application or a program that fails.
@Suite struct `A download in adverse conditions` {
  private static let id = ServedApplication.id

  private static func with(
    _ body: @Sendable (InstalledDesktop, ServedApplication, FileServer) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let server = try await FileServer.start(on: desk.desktop)
      try await body(desk, application, server)
      server.stop()
      await application.bus.close()
    }
  }

  /// Returns the listed downloads.
  private static func list(on desk: InstalledDesktop) async throws -> [PropertyList] {
    let output = try await desk.usher("download", "list", "--json").orThrow().output
    return try PropertyList(json: output)["downloads"]?.array ?? []
  }

  /// Waits until the only download has an error that contains these words.
  private static func waitForError(_ words: String, on desk: InstalledDesktop) async throws {
    try await withDeadline(Command.defaultDeadline, "the error “\(words)”") {
      while try await list(on: desk).first?["error"]?.string?.contains(words) != true {
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  /// A daemon with a small file system of its own at a path.
  private struct BoundedDaemon {
    let program: RunningProgram
    let desk: InstalledDesktop
    let directory: String

    static func start(size: String, at directory: String, on desk: InstalledDesktop) async throws
      -> BoundedDaemon
    {
      let mount =
        "mkdir -p '\(directory)' && mount -t tmpfs -o size=\(size),mode=700 tmpfs '\(directory)' && exec usher-triggers"
      let program = try await RunningProgram.start(
        "unshare", ["--mount", "sh", "-ec", mount], environment: desk.desktop.environment)
      try await desk.waitForOwner(of: TriggersInterface.busName, orExitOf: program)
      return BoundedDaemon(program: program, desk: desk, directory: directory)
    }

    /// Runs a line of shell in the directory.
    @discardableResult
    func run(_ line: String) async throws -> CommandResult {
      try await desk.run(
        "nsenter",
        ["-t", "\(program.processIdentifier)", "-m", "sh", "-c", "cd '\(directory)' && \(line)"])
    }

    func size(of file: String) async throws -> Int {
      Int(try await run("stat -c %s \(file)").orThrow().output.trimmingCharacters(in: .newlines)) ?? 0
    }

    func fill() async throws { try await run("cat /dev/zero >ballast 2>/dev/null") }
    func makeRoom() async throws { try await run("rm ballast").orThrow() }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root for a file system"))
  func `waits on a full disk, keeps what was received, and continues when there is room`() async throws {
    try await Self.with { desk, application, server in
      let daemon = try await BoundedDaemon.start(size: "1200k", at: "\(desk.desktop.root)/disk", on: desk)
      let file = "\(daemon.directory)/map"
      try await desk.usher("download", Self.id, server.url("/wait"), "-o", file).orThrow()
      _ = try await server.request("/wait 0")
      // What was sent has arrived before the disk is full.
      try await withDeadline(Command.defaultDeadline, "a part of the file") {
        while try await daemon.size(of: "map.part") < 100_000 {
          try await Task.sleep(for: .milliseconds(50))
        }
      }
      try await daemon.fill()
      server.proceed()
      try await Self.waitForError("bytes left, and", on: desk)
      #expect(try await Self.list(on: desk).first?["state"] == "waiting")
      #expect(try await daemon.size(of: "map.part") >= 100_000)
      try await daemon.makeRoom()
      let name = try #require(try await Self.list(on: desk).first?["identifier"]?.string)
      try await desk.usher("download", "resume", Self.id, name).orThrow()
      // The rest of the same version is requested.
      let request = try await server.request("/wait")
      #expect(!request.hasPrefix("/wait 0 ") && request.hasSuffix(#" "1""#), "\(request)")
      server.proceed()
      server.proceed()
      #expect(try await application.nextEnvelope().payload?["outcome"] == "completed")
      let sum = try await daemon.run("sha256sum map").orThrow().output.prefix(64)
      #expect(String(sum) == (try await FileServer.checksum(on: desk)))
      daemon.program.kill()
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root for a file system"))
  func `is refused, and leaves no file, if the store is full; those before it arrive`() async throws {
    try await Self.with { desk, application, server in
      let daemon = try await BoundedDaemon.start(
        size: "600k", at: "\(desk.desktop.stateHome)/usher", on: desk)
      try await desk.usher("download", Self.id, server.url("/wait"), "--identifier", "first").orThrow()
      _ = try await server.request("/wait 0")
      try await daemon.fill()
      var (number, refused) = (0, CommandResult?.none)
      while refused == nil, number < 60 {
        number += 1
        let result = try await desk.usher(
          "download", Self.id, server.url("/silent"), "--identifier", "\(number)", "-o",
          "\(desk.desktop.home)/\(number)")
        if !result.succeeded { refused = result }
      }
      let error = try #require(refused)
      #expect(error.status == 1 && error.errorOutput.contains("the disk is full"), "\(error)")
      #expect(!FileManager.default.fileExists(atPath: "\(desk.desktop.home)/\(number).part"))
      // The first one and those that were not refused.
      #expect(try await Self.list(on: desk).count == number)
      try await daemon.makeRoom()
      server.proceed()
      let payload = try await application.nextEnvelope().payload
      #expect(payload?["identifier"] == "first" && payload?["outcome"] == "completed")
      daemon.program.kill()
    }
  }

  /// A directory of which each `open` waits until the program ends, by a permission event of fanotify.
  private static func holdOpening(of directory: String, on desk: InstalledDesktop) async throws
    -> RunningProgram
  {
    let script = """
      import ctypes, os, sys
      libc = ctypes.CDLL(None, use_errno=True)
      CLASS_CONTENT, MARK_ADD, OPEN_PERM, ONDIR, AT_FDCWD = 0x4, 0x1, 0x10000, 0x40000000, -100
      group = libc.fanotify_init(CLASS_CONTENT, os.O_RDONLY)
      libc.fanotify_mark.argtypes = [ctypes.c_int, ctypes.c_uint, ctypes.c_uint64, ctypes.c_int, ctypes.c_char_p]
      if group < 0 or libc.fanotify_mark(group, MARK_ADD, OPEN_PERM | ONDIR, AT_FDCWD, sys.argv[1].encode()) != 0:
        sys.exit(f"fanotify: {os.strerror(ctypes.get_errno())}")
      while os.read(group, 4096): print("held", flush=True)
      """
    return try await RunningProgram.start(
      "/usr/bin/python3", ["-c", script, directory], environment: desk.desktop.environment)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to hold the calls of other programs"))
  func `delays no download of another application while its disk does not respond`() async throws {
    try await Self.with { desk, application, server in
      try desk.desktop.installDesktopEntry("org.example.Slow", exec: "true")
      let directory = "\(desk.desktop.home)/slow"
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try await desk.usher("download", "org.example.Slow", server.url("/wait"), "-o", "\(directory)/map")
        .orThrow()
      _ = try await server.request("/wait 0")
      let disk = try await Self.holdOpening(of: directory, on: desk)
      // The daemon looks at the file each second.
      #expect(try await disk.line() == "held")
      try await desk.usher("download", Self.id, server.url("/whole")).orThrow()
      #expect(try await application.nextEnvelope().payload?["outcome"] == "completed")
      disk.kill()
      server.proceed()
      try await withDeadline(Command.defaultDeadline, "the file on the slow disk") {
        while !FileManager.default.fileExists(atPath: "\(directory)/map") {
          try await Task.sleep(for: .milliseconds(50))
        }
      }
    }
  }

  @Test func `gives up a server that sends nothing, and asks it again`() async throws {
    try await Self.with { desk, application, server in
      let daemon = try await RunningProgram.start(
        "usher-triggers", environment: desk.desktop.environment.merging(["USHER_TEST_STALL": "1"]) { $1 })
      try await desk.waitForOwner(of: TriggersInterface.busName, orExitOf: daemon)
      try await desk.usher("download", Self.id, server.url("/silent")).orThrow()
      for _ in 0..<2 { _ = try await server.request("/silent 0") }
      try await Self.waitForError("the server has sent nothing", on: desk)
      let name = try #require(try await Self.list(on: desk).first?["identifier"]?.string)
      try await desk.usher("download", "cancel", Self.id, name).orThrow()
      #expect(try await application.nextEnvelope().payload?["outcome"] == "cancelled")
      // One that stops in the middle continues from there.
      try await desk.usher("download", Self.id, server.url("/wait")).orThrow()
      while try await server.request("/wait").hasPrefix("/wait 0 ") {}
      #expect(try await application.nextEnvelope().payload?["outcome"] == "completed")
      daemon.kill()
    }
  }

  /// A download fails after seven days without a byte, but not at the first attempt after a machine was off for a week.
  @Test func `continues after a week, and fails if the attempts after it fail, too`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let server = try await FileServer.start(on: desk.desktop)
      server.stop()
      try await desk.usher("download", Self.id, server.url("/whole"), "--identifier", "a").orThrow()
      try await Self.waitForError("the server cannot be reached", on: desk)
      try await Self.age(failures: 3, on: desk)
      try await Self.waitForError("the server cannot be reached", on: desk)
      #expect(try await Self.list(on: desk).first?["state"] == "waiting")
      try await Self.age(failures: 20, on: desk)
      try await desk.usher("download", "list").orThrow()
      let payload = try await application.nextEnvelope().payload
      #expect(payload?["outcome"] == "failed" && payload?["error-kind"] == "connection")
      #expect(
        payload?["error"]?.string?.hasPrefix("nothing was received for seven days: ") == true,
        "\(String(describing: payload))")
      await application.bus.close()
    }
  }

  /// Ends the daemon, and changes the stored download as if it had waited for eight days.
  private static func age(failures: Int, on desk: InstalledDesktop) async throws {
    try await TriggerDaemon(on: desk).kill()
    let script = """
      import json, sqlite3, sys, time
      store = sqlite3.connect(sys.argv[1])
      with store:
        for id, text in store.execute("SELECT id, progress FROM download").fetchall():
          progress = json.loads(text)
          progress.update({"progress-date": int(time.time() * 1000) - 8 * 86_400_000, "failures": int(sys.argv[2])})
          for key in "failure", "failure-kind": progress.pop(key, None)
          store.execute("UPDATE download SET progress = ? WHERE id = ?", (json.dumps(progress), id))
      """
    try await desk.run(
      "/usr/bin/python3", ["-c", script, "\(desk.desktop.stateHome)/usher/triggers.sqlite", "\(failures)"]
    ).orThrow()
  }

  @Test func `keeps usher-triggers running while it is transferred, and not while it is paused`() async throws
  {
    try await Self.with { desk, application, server in
      func start() async throws -> RunningProgram {
        let daemon = try await RunningProgram.start(
          "usher-triggers", environment: desk.desktop.environment.merging(["USHER_TEST_IDLE": "1"]) { $1 })
        try await desk.waitForOwner(of: TriggersInterface.busName, orExitOf: daemon)
        return daemon
      }
      let first = try await start()
      try await desk.usher("download", Self.id, server.url("/wait"), "--identifier", "a").orThrow()
      _ = try await server.request("/wait 0")
      try await desk.usher("download", "pause", Self.id, "a").orThrow()
      try await withDeadline(Command.defaultDeadline, "the pause") {
        while try await Self.list(on: desk).first?["state"] != "paused" {}
      }
      #expect(await first.waitUntilExit().status == 0)
      #expect(desk.desktop.processes.allSatisfy { $0.arguments.first != "curl" })
      let second = try await start()
      #expect(try await Self.list(on: desk).first?["state"] == "paused")
      try await desk.usher("download", "resume", Self.id, "a").orThrow()
      _ = try await server.request("/wait 100")
      for _ in 0..<2 { server.proceed() }
      #expect(try await application.nextEnvelope().payload?["outcome"] == "completed")
      #expect(await second.waitUntilExit().status == 0)
    }
  }

  @Test func `needs curl, and the error names the package`() async throws {
    try await Self.with { desk, application, server in
      let daemon = try await RunningProgram.start(
        "usher-triggers", environment: desk.desktop.environment.merging(["PATH": desk.desktop.bin]) { $1 })
      try await desk.waitForOwner(of: TriggersInterface.busName, orExitOf: daemon)
      let result = try await desk.usher("download", Self.id, server.url("/whole"))
      #expect(result.status == 1 && result.errorOutput.contains("install the package curl"), "\(result)")
      daemon.kill()
    }
  }

  /// The application exits when it receives the outcome, before it replies.
  @Test func `is reported once more to an application that is killed over it, marked as such`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.diesOnce, .application1, on: desk)
      let server = try await FileServer.start(on: desk.desktop)
      try await desk.usher("download", application.id, server.url("/whole")).orThrow()
      let first = try await application.nextCall()
      #expect(first["reason"] == "newsstand-downloads" && first["redelivered"] == nil, "\(first)")
      let second = try await application.nextCall()
      #expect(second["redelivered"] == true && second["request-id"] == first["request-id"], "\(second)")
      // The next call is that of another download.
      try await desk.usher("download", application.id, server.url("/whole")).orThrow()
      let third = try await application.nextCall()
      #expect(third["request-id"] != first["request-id"] && third["redelivered"] == nil, "\(third)")
      server.stop()
    }
  }
}
