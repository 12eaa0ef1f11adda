// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing
import Triggers

/// The callers of downloads, and their limits.
@Suite struct `The downloads of an application` {
  /// Adds a download with the bus interface.
  private static func add(
    _ url: String, _ identifier: String, of application: String = ServedApplication.id, on bus: BusConnection
  ) async throws {
    _ = try await bus.call(
      TriggersInterface.addDownload, at: TriggersInterface.triggers, application,
      ["url": .string(url), "identifier": .string(identifier)])
  }

  /// Returns the states of all downloads, by identifier.
  private static func states(on desk: InstalledDesktop) async throws -> [String: String] {
    let list = try PropertyList(json: try await desk.usher("download", "list", "--json").orThrow().output)
    return Dictionary(
      uniqueKeysWithValues: (list["downloads"]?.array ?? []).compactMap { download in
        guard let name = download["identifier"]?.string, let state = download["state"]?.string else {
          return nil
        }
        return (name, state)
      })
  }

  @Test func `are neither seen nor changed by another application`() async throws {
    try await InstalledDesktop.with { desk in
      let notes = try IdentifiedApplication.install(on: desk)
      let other = try IdentifiedApplication.install("org.example.Other", on: desk)
      let server = try await FileServer.start(on: desk.desktop)
      let request = "{'url': <'\(server.url("/wait"))'>, 'identifier': <'a'>}"
      try await notes.call("AddDownload", [request]).orThrow()
      _ = try await server.request("/wait 0")
      #expect(try await notes.call("Downloads", for: nil).orThrow().output.contains("<'a'>"))
      #expect(try await other.call("Downloads", for: nil).orThrow().output == "(@aa{sv} [],)\n")
      for (member, argument) in [
        ("AddDownload", request), ("CancelDownloads", "['a']"), ("PauseDownloads", "['a']"),
        ("ResumeDownloads", "['a']"),
      ] {
        let refused = try await other.call(member, for: notes.id, [argument])
        #expect(refused.errorOutput.contains("AccessDenied"), "\(member): \(refused)")
      }
      // An identifier belongs to its application.
      try await other.call("CancelDownloads", ["['a']"]).orThrow()
      try await other.call("PauseDownloads", ["['a']"]).orThrow()
      #expect(try await Self.states(on: desk) == ["a": "transferring"])
      try await notes.call("CancelDownloads", ["['a']"]).orThrow()
      try await withDeadline(Command.defaultDeadline, "the end of the download") {
        while try await !Self.states(on: desk).isEmpty {}
      }
      server.stop()
    }
  }

  @Test func `of which the application cancels one itself have no outcome`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let notes = try IdentifiedApplication.install(on: desk)
      let server = try await FileServer.start(on: desk.desktop)
      try await notes.call(
        "AddDownload", ["{'url': <'\(server.url("/wait"))'>, 'identifier': <'a'>}"]
      ).orThrow()
      _ = try await server.request("/wait 0")
      let part = "\(desk.desktop.dataHome)/\(notes.id)/Downloads/wait.part"
      #expect(FileManager.default.fileExists(atPath: part))
      try await notes.call("CancelDownloads", ["['a']"]).orThrow()
      try await withDeadline(Command.defaultDeadline, "the end of the download") {
        while try await !Self.states(on: desk).isEmpty {}
      }
      #expect(!FileManager.default.fileExists(atPath: part))
      // The broker has got no request before that of another download.
      try await desk.usher("download", ServedApplication.id, server.url("/whole")).orThrow()
      _ = try await application.nextEnvelope()
      let history = try await desk.usher("history", "--json").orThrow().output
      #expect(!history.contains(notes.id), "\(history)")
      server.stop()
      await application.bus.close()
    }
  }

  @Test func `are transferred two at a time, and the next one starts when one has ended`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let server = try await FileServer.start(on: desk.desktop)
      let caller = try await desk.connect()
      for name in ["1", "2", "3"] { try await Self.add(server.url("/wait/\(name)"), name, on: caller) }
      for _ in 0..<2 { _ = try await server.request("/wait 0") }
      #expect(try await Self.states(on: desk) == ["1": "transferring", "2": "transferring", "3": "waiting"])
      server.proceed()
      let first = try await application.nextEnvelope().payload?["identifier"]?.string
      #expect(first == "1" || first == "2")
      _ = try await server.request("/wait 0")
      for _ in 0..<2 { server.proceed() }
      for _ in 0..<2 { #expect(try await application.nextEnvelope().payload?["outcome"] == "completed") }
      server.stop()
      await application.bus.close()
    }
  }

  @Test func `are limited for an application and altogether, and the error names the limit`() async throws {
    try await InstalledDesktop.with { desk in
      let server = try await FileServer.start(on: desk.desktop)
      let caller = try await desk.connect()
      let applications = (0..<5).map { "org.example.A\($0)" }
      for id in applications { try desk.desktop.installDesktopEntry(id, exec: "/bin/true") }
      for id in applications.dropLast() {
        for number in 0..<DownloadLimits.ofApplication {
          try await Self.add(server.url("/silent"), "\(number)", of: id, on: caller)
        }
      }
      let own = try await desk.usher("download", applications[0], server.url("/silent"))
      #expect(own.status == 1 && own.errorOutput.contains("64 downloads, which is the limit"), "\(own)")
      let all = try await desk.usher("download", applications[4], server.url("/silent"))
      #expect(all.status == 1 && all.errorOutput.contains("256 downloads are stored altogether"), "\(all)")
      #expect(
        try await Self.count(of: "transferring", on: desk) == DownloadLimits.transfers,
        "transfers of all applications")
      try await desk.usher("download", "cancel", applications[0], "63").orThrow()
      try await withDeadline(Command.defaultDeadline, "room for a download") {
        while try await !desk.usher("download", applications[4], server.url("/silent")).succeeded {}
      }
      server.stop()
    }
  }

  /// Returns the number of downloads in a state; the list of all may exceed the limit of a property list.
  private static func count(of state: String, on desk: InstalledDesktop) async throws -> Int {
    let list = try await desk.usher("download", "list", "--json").orThrow().output
    return list.split(separator: "\"state\":\"\(state)\"", omittingEmptySubsequences: false).count - 1
  }

  @Test func `report their progress to the running application alone`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let stranger = try await desk.connect()
      func signals(
        on bus: BusConnection
      ) async throws -> AsyncStream<ReceivedSignal<String, [String: Variant]>> {
        try await bus.signals(
          TriggersInterface.downloadProgress, from: TriggersInterface.busName, at: TriggersInterface.path)
      }
      let (own, others) = (try await signals(on: application.bus), try await signals(on: stranger))
      let server = try await FileServer.start(on: desk.desktop)
      try await desk.usher(
        "download", ServedApplication.id, server.url("/wait"), "--identifier", "a", "--session", "maps"
      ).orThrow()
      let (identifier, progress) =
        try await withDeadline(Command.defaultDeadline, "progress") {
          await own.first { $0.values.1["received"]?.integer ?? 0 >= 100_000 }?.values
        } ?? ("", [:])
      #expect(identifier == "a")
      #expect(progress["total"]?.integer == Int64(FileServer.length), "\(progress)")
      #expect(progress["session-identifier"]?.string == "maps", "\(progress)")
      server.proceed()
      #expect(try await application.nextEnvelope().payload?["outcome"] == "completed")
      // What the stranger received precedes the reply to its call.
      _ = try await stranger.call(TriggersInterface.downloads, at: TriggersInterface.triggers)
      await stranger.close()
      #expect(await others.first { _ in true } == nil)
      server.stop()
      await application.bus.close()
    }
  }
}
