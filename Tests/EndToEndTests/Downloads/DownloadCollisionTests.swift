// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing
import Triggers

/// Downloads that are added in quick succession, or at once.
@Suite struct `Downloads that are added together` {
  private static let id = ServedApplication.id

  /// Adds downloads with these options at once, and returns the paths of those that were not refused, and the errors.
  private static func add(
    _ requests: [[String: Variant]], on desk: InstalledDesktop
  ) async throws -> (files: [String], errors: [BusError]) {
    let bus = try await desk.connect()
    let results = await withTaskGroup(of: Result<String, BusError>.self) { group in
      for request in requests {
        group.addTask {
          do throws(BusError) {
            let added = try await bus.call(
              TriggersInterface.addDownload, at: TriggersInterface.triggers, id, request, timeout: nil)
            return .success(added["file"]?.string ?? "")
          } catch { return .failure(error) }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    await bus.close()
    var (files, errors): ([String], [BusError]) = ([], [])
    for result in results {
      switch result {
      case .success(let file): files.append(file)
      case .failure(let error): errors.append(error)
      }
    }
    return (files, errors)
  }

  private static func with(_ body: @Sendable (InstalledDesktop, FileServer) async throws -> Void) async throws
  {
    try await InstalledDesktop.with { desk in
      try desk.desktop.installDesktopEntry(id, exec: "/bin/true")
      let server = try await FileServer.start(on: desk.desktop)
      try await body(desk, server)
      server.stop()
    }
  }

  @Test func `have a file each, also before any byte has arrived`() async throws {
    try await Self.with { desk, server in
      let url = server.url("/silent/map.zip")
      let first = try await desk.usher("download", Self.id, url).orThrow().output
      let second = try await desk.usher("download", Self.id, url).orThrow().output
      #expect(first.hasSuffix("/map.zip\n") && second.hasSuffix("/map-2.zip\n"), "\(second)")
      let (files, errors) = try await Self.add(
        [[String: Variant]](repeating: ["url": .string(url)], count: 8), on: desk)
      #expect(Set(files).count == 8 && errors.isEmpty, "\(files) \(errors)")
    }
  }

  @Test func `for one path are one, and the others are refused`() async throws {
    try await Self.with { desk, server in
      let path = "\(desk.desktop.home)/map"
      let request: [String: Variant] = ["url": .string(server.url("/silent")), "file": .string(path)]
      let (files, errors) = try await Self.add([[String: Variant]](repeating: request, count: 8), on: desk)
      #expect(files == [path] && errors.count == 7, "\(files)")
      for error in errors {
        // GLib returns the message only of an error without details.
        #expect(error.message.contains("another download writes \(path)") && error.details.isEmpty)
      }
      // The directory has another path, too.
      try await desk.run("ln", ["-s", desk.desktop.home, "\(desk.desktop.root)/alias"]).orThrow()
      let alias = try await desk.usher(
        "download", Self.id, server.url("/silent"), "-o", "\(desk.desktop.root)/alias/map")
      #expect(alias.status == 73 && alias.errorOutput.contains("another download writes"), "\(alias)")
    }
  }

  @Test func `are refused for a file that exists, or that cannot be created`() async throws {
    try await Self.with { desk, server in
      let file = try desk.desktop.write("mine", to: "home/map")
      let existing = try await desk.usher("download", Self.id, server.url("/silent"), "-o", file)
      #expect(existing.status == 73 && existing.errorOutput.contains("\(file) exists"), "\(existing)")
      let missing = try await desk.usher("download", Self.id, server.url("/silent"), "-o", "\(file)/a")
      #expect(missing.status == 73 && missing.errorOutput.contains("Not a directory"), "\(missing)")
    }
  }

  @Test func `are as many as the limit allows`() async throws {
    try await Self.with { desk, server in
      let request: [String: Variant] = ["url": .string(server.url("/silent"))]
      let (files, errors) = try await Self.add([[String: Variant]](repeating: request, count: 80), on: desk)
      #expect(files.count == DownloadLimits.ofApplication && errors.count == 16, "\(files.count)")
      for error in errors { #expect(error.brokerError == .tooMany) }
    }
  }
}
