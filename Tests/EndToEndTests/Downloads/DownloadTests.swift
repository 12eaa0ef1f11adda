// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// Downloads with a real curl, and a server on loopback whose faults the tests choose.
@Suite struct `A download` {
  private static let id = ServedApplication.id

  /// Runs `body` with a desktop, a running application and a server.
  private func with(
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

  /// Adds a download, and returns its file.
  @discardableResult
  private func add(
    _ url: String, _ arguments: String..., on desk: InstalledDesktop
  ) async throws -> String {
    let result = try await desk.run("usher", ["download", Self.id, url] + arguments).orThrow()
    return result.output.trimmingCharacters(in: .newlines)
  }

  /// Returns the payload of the next request of the application.
  private func outcome(_ application: ServedApplication) async throws -> PropertyList {
    let envelope = try await application.nextEnvelope()
    #expect(envelope.reason == .newsstandDownloads)
    return try #require(envelope.payload)
  }

  private func expectContent(_ path: String, _ version: String = "1", on desk: InstalledDesktop) async throws
  {
    let sum = try await desk.run("sha256sum", [path]).orThrow().output.prefix(64)
    #expect(String(sum) == (try await FileServer.checksum(version, on: desk)))
    #expect(!FileManager.default.fileExists(atPath: path + ".part"))
  }

  @Test func `arrives, and is reported to its application once, with the identifiers and the path`()
    async throws
  {
    try await with { desk, application, server in
      let file = try await add(
        server.url("/whole/map%20of.zip?token=secret"), "--identifier", "map", "--session", "maps", on: desk)
      #expect(file.hasSuffix("/\(Self.id)/Downloads/map of.zip"))
      let payload = try await outcome(application)
      #expect(
        payload["identifier"] == "map" && payload["identifiers"] == ["map"]
          && payload["session-identifier"] == "maps" && payload["outcome"] == "completed"
          && payload["file"] == .string(file) && payload["size"] == .integer(Int64(FileServer.length)),
        "\(payload)")
      try await expectContent(file, on: desk)
      // A file that exists is not replaced.
      let second = try await add(server.url("/whole/map%20of.zip"), on: desk)
      #expect(second.hasSuffix("/map of-2.zip"))
      #expect(try await outcome(application)["file"] == .string(second))
      #expect(try await desk.usher("download", "list", "--json").output.contains(#""downloads":[]"#))
    }
  }

  @Test(arguments: ["drop", "first", "chunked", "chunkdrop", "moved", "plain"])
  func `is continued where the connection was lost`(_ kind: String) async throws {
    try await with { desk, application, server in
      let sum = try await FileServer.checksum(on: desk)
      let file = try await add(server.url("/\(kind)"), "--sha256", sum, on: desk)
      #expect(try await outcome(application)["outcome"] == "completed")
      try await expectContent(file, on: desk)
      guard kind == "drop" else { return }
      #expect(try await server.request("/drop 100000") == #"/drop 100000 "1""#)
    }
  }

  /// The server ignores the range; has another file, and says so; has another file, and continues it nevertheless.
  @Test(arguments: [("ignores", "1"), ("other", "2"), ("liar", "2")])
  func `is never composed of two versions`(_ kind: String, _ version: String) async throws {
    try await with { desk, application, server in
      let file = try await add(server.url("/\(kind)"), on: desk)
      #expect(try await outcome(application)["outcome"] == "completed")
      try await expectContent(file, version, on: desk)
    }
  }

  @Test(arguments: ["changes", "plaindrop"])
  func `fails when it begins again and again`(_ kind: String) async throws {
    try await with { desk, application, server in
      let file = try await add(server.url("/\(kind)"), on: desk)
      // The attempts wait for 1, 2, 4 … seconds.
      for _ in 0..<12 where try await desk.usher("download", "list", "--json").output.contains("identifier") {
        let list = try PropertyList(json: try await desk.usher("download", "list", "--json").output)
        guard let name = list["downloads"]?.array?.first?["identifier"]?.string else { break }
        try await desk.usher("download", "resume", Self.id, name)
        _ = try await server.request("/\(kind) ")
      }
      let payload = try await outcome(application)
      #expect(payload["outcome"] == "failed" && payload["error-kind"] == "changed", "\(payload)")
      #expect(!FileManager.default.fileExists(atPath: file))
      #expect(!FileManager.default.fileExists(atPath: file + ".part"))
    }
  }

  @Test(arguments: [
    ("/tofile", "redirect"), ("/toftp", "redirect"), ("/loop", "redirect"), ("/status404", "rejected"),
    ("/status403", "rejected"), ("/status304", "rejected"), ("/status204", "rejected"),
    ("/endless", "too-large"), ("/whole", "too-large"), ("/chunked", "too-large"),
  ])
  func `fails at once if no attempt can succeed`(_ path: String, _ kind: String) async throws {
    try await with { desk, application, server in
      let file = try await add(server.url(path), "--max-size", "200000", on: desk)
      let payload = try await outcome(application)
      #expect(
        payload["outcome"] == "failed" && payload["error-kind"] == .string(kind) && payload["file"] == nil,
        "\(payload)")
      #expect(!FileManager.default.fileExists(atPath: file))
      #expect(!FileManager.default.fileExists(atPath: file + ".part"))
    }
  }

  @Test func `fails if its checksum is another one`() async throws {
    try await with { desk, application, server in
      let sum = try await FileServer.checksum("2", on: desk)
      let file = try await add(server.url("/whole"), "--sha256", sum, on: desk)
      #expect(try await outcome(application)["error-kind"] == "checksum")
      #expect(!FileManager.default.fileExists(atPath: file + ".part"))
    }
  }

  @Test func `shows its URL in no command line, and its secrets in no list`() async throws {
    try await with { desk, application, server in
      try await add(server.url("/wait?token=secret"), "--identifier", "a", on: desk)
      _ = try await server.request("/wait")
      let curls = desk.desktop.processes.filter { $0.arguments.first == "curl" }
      #expect(curls.count == 1)
      #expect(curls.allSatisfy { !$0.arguments.joined().contains("127.0.0.1") })
      let list = try await desk.usher("download", "list", "--json").output
      #expect(list.contains("/wait\"") && !list.contains("secret"), "\(list)")
      server.proceed()
      #expect(try await outcome(application)["outcome"] == "completed")
    }
  }

  @Test func `has the header fields of the user, of which a file's are in no command line`() async throws {
    try await with { desk, application, server in
      let file = try desk.desktop.write("Authorization: Bearer secret\n\n", to: "home/token")
      try await add(
        server.url("/named"), "--header", "Accept-Language: de", "--header", "@\(file)", on: desk)
      #expect(try await server.request("as ") == "as Bearer secret de")
      #expect(try await outcome(application)["outcome"] == "completed")
      let missing = try await desk.run(
        "usher", ["download", Self.id, server.url("/named"), "--header", "@\(file).missing"])
      #expect(missing.status == 64 && missing.errorOutput.contains("does not exist"), "\(missing)")
    }
  }

  @Test func `is cancelled by the user, paused and resumed`() async throws {
    try await with { desk, application, server in
      let file = try await add(server.url("/wait"), "--identifier", "a", on: desk)
      _ = try await server.request("/wait")
      try await desk.usher("download", "pause", Self.id, "a").orThrow()
      try await waitUntil("paused", on: desk)
      try await desk.usher("download", "resume", Self.id, "a").orThrow()
      // 100000 bytes or some more were received before.
      _ = try await server.request("/wait 100")
      let cancelled = try await desk.usher("download", "cancel", Self.id, "a", "unknown").orThrow()
      #expect(
        cancelled.errorOutput
          == "usher: \(Self.id) has no unfinished download “unknown”; “usher download list” lists the identifiers\n"
      )
      let payload = try await outcome(application)
      #expect(payload["outcome"] == "cancelled" && payload["error"] == nil, "\(payload)")
      #expect(!FileManager.default.fileExists(atPath: file + ".part"))
    }
  }

  private func waitUntil(_ state: String, on desk: InstalledDesktop) async throws {
    try await withDeadline(Command.defaultDeadline, "a download that is \(state)") {
      while try await !desk.usher("download", "list", "--json").output.contains("\"state\":\"\(state)\"") {
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  @Test func `survives the death of usher-triggers and of curl at each step, and is reported once`()
    async throws
  {
    try await with { desk, application, server in
      let daemon = try await TriggerDaemon(on: desk)
      let file = try await add(server.url("/wait"), "--identifier", "a", on: desk)
      _ = try await server.request("/wait 0")
      try await daemon.kill()
      // Each call starts the next daemon.
      _ = try await desk.usher("download", "list")
      _ = try await server.request("/wait")
      for curl in desk.desktop.processes where curl.arguments.first == "curl" {
        kill(curl.processIdentifier, SIGKILL)
      }
      _ = try await server.request("/wait")
      for _ in 0..<3 { server.proceed() }
      #expect(try await outcome(application)["outcome"] == "completed")
      try await expectContent(file, on: desk)
    }
  }
}
