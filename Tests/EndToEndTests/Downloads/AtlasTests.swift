// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// The example `Examples/Atlas`, which adds downloads with `application.downloads`, with the real daemons.
@Suite struct `A map of Atlas` {
  private static let id = "org.example.Atlas"

  private static func with(
    _ body: @Sendable (InstalledDesktop, ReportPipe, FileServer) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let pipe = try await ReportPipe(id, in: desk.desktop)
      let script = try desk.desktop.installScript(
        "atlas-app",
        "#!/bin/sh\nexec '\(BuiltProducts.directory)/atlas' \"$@\" 1<>'\(pipe.path)'\n")
      try desk.desktop.install("Examples/Atlas/org.example.Atlas.desktop", exec: script)
      try desk.desktop.setDefaults(["atlas": ["org.usher.Handler", id]])
      let server = try await FileServer.start(on: desk.desktop)
      try await body(desk, pipe, server)
      server.stop()
      try await end(on: desk)
    }
  }

  private static func end(on desk: InstalledDesktop) async throws {
    for process in desk.processes(of: "\(BuiltProducts.directory)/atlas") { try await desk.end(process) }
  }

  private static func fetch(
    _ name: String, _ path: String, from server: FileServer, on desk: InstalledDesktop
  ) async throws {
    let url = server.url(path).replacing(":", with: "%3A").replacing("/", with: "%2F")
    try await desk.usher("open", "--wait", "handled", "atlas:map?name=\(name)&url=\(url)").orThrow()
  }

  @Test func `shows its progress while Atlas runs, and starts it when it has arrived`() async throws {
    try await Self.with { desk, pipe, server in
      try await Self.fetch("alps", "/wait/alps.zip", from: server, on: desk)
      let file = "\(desk.desktop.dataHome)/\(Self.id)/Downloads/alps.zip"
      #expect(try await pipe.line("fetching") == "fetching alps to \(file)")
      // At first 100000, and ten more in each 20 s.
      let progress = try await pipe.line("alps:")
      #expect(
        progress.hasPrefix("alps: 100") && progress.hasSuffix(" of \(FileServer.length) bytes"),
        "\(progress)")
      try await Self.end(on: desk)
      server.proceed()
      #expect(try await pipe.line("started") == "started for alps")
      #expect(try await pipe.line("alps") == "alps has arrived: \(file)")
      let sum = try await desk.run("sha256sum", [file]).orThrow().output.prefix(64)
      #expect(String(sum) == (try await FileServer.checksum(on: desk)))
      // Warm: the running instance receives the outcome.
      try await Self.fetch("jura", "/status404", from: server, on: desk)
      let failed = try await pipe.line("jura has")
      #expect(failed.contains("the server does not have the file"), "\(failed)")
      #expect(desk.processes(of: "\(BuiltProducts.directory)/atlas").count == 1)
    }
  }

  @Test func `that the user cancels is reported, and one that exists is refused with the reason`()
    async throws
  {
    try await Self.with { desk, pipe, server in
      try await Self.fetch("alps", "/wait/alps.zip", from: server, on: desk)
      _ = try await pipe.line("fetching")
      let url = server.url("/wait").replacing(":", with: "%3A").replacing("/", with: "%2F")
      let again = try await desk.usher("open", "--wait", "handled", "atlas:map?name=alps&url=\(url)")
      #expect(again.errorOutput.contains("has a download “alps” that is not finished"), "\(again)")
      try await desk.usher("download", "cancel", Self.id, "alps").orThrow()
      #expect(try await pipe.line("alps was") == "alps was cancelled")
    }
  }
}
