// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// The sample `Examples/UIKit/TokenForwarding` as a program: it registers itself, and its server pushes by real HTTP.
@Suite struct `A program with UIKit's code for remote notifications` {
  private static let id = "org.example.Tokens"
  private let sample = UIKitSample(id: Self.id, product: "UIKitTokenForwarding", name: "tokens")

  /// Returns the token that the sample forwards to its server.
  private func token(_ pipe: ReportPipe) async throws -> PropertyList {
    let line = try await pipe.line("register deviceToken=")
    let digits = Array(line.split(separator: "=")[1].utf8)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
    }
    return try PropertyList(json: String(decoding: bytes, as: UTF8.self))
  }

  @Test func `presents an alert in the foreground, is started in the background, and gets the tap`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let pipe = try await sample.install(on: desk)
      let daemon = try await RunningProgram.start(
        "sh", ["-c", "exec usher-triggers 2>&1"], environment: desk.desktop.environment)
      try await desk.waitForOwner(of: TriggersInterface.busName)
      let server = try await NotificationServer.start(on: desk)
      let distributor = try await PushDistributor.start(on: desk)
      try await desk.usher("open", "--reason", "activate", "--app", Self.id, "--wait", "handled").orThrow()
      let token = try await token(pipe)
      #expect(try await desk.usher("push", "list").output.hasPrefix(Self.id))

      try await distributor.push(
        #"{"aps":{"alert":{"title":"Tea"},"content-available":1},"note":7}"#, to: token)
      // Each part once, in any order.
      let parts = [try await pipe.line(""), try await pipe.line("")]
      #expect(parts.sorted() == ["fetch 7 ", "present Tea"])
      #expect(try await server.next(1).text.contains("Tea"))

      try await sample.end(on: desk)
      try await distributor.push(#"{"aps":{"content-available":1},"note":8}"#, to: token)
      #expect(try await pipe.line("") == "fetch 8 in the background")
      // The registration of the new process returns the same token.
      #expect(try await self.token(pipe) == token)
      _ = try await daemon.line { $0.contains("\(Self.id) has handled a push message result=new-data") }

      // In the background, an alert is for the user alone, until the user taps it.
      try await distributor.push(#"{"aps":{"alert":{"title":"Milk"}},"note":9}"#, to: token)
      #expect(try await server.next(2).text.contains("Milk"))
      try await server.ping()
      try await server.invoke("default", of: 2)
      #expect(try await pipe.line("") == "open Milk 9")
      // The application has a window now.
      try await distributor.push(#"{"aps":{"alert":{"title":"Bread"}}}"#, to: token)
      #expect(try await pipe.line("") == "present Bread")
      #expect(try await server.next(3).text.contains("Bread"))

      try await sample.end(on: desk)
      try await distributor.push(#"{"aps":{"alert":{"title":"Rice"}},"note":10}"#, to: token)
      #expect(try await server.next(4).text.contains("Rice"))
      #expect(desk.processes(of: "\(desk.desktop.bin)/tokens").isEmpty)
      try await server.ping()
      try await server.invoke("default", of: 4)
      #expect(try await pipe.line("open") == "open Rice 10")
      try await sample.end(on: desk)
      daemon.terminate()
    }
  }

  @Test func `learns that there is no distributor, and that its endpoint has changed`() async throws {
    try await InstalledDesktop.with { desk in
      let pipe = try await sample.install(on: desk)
      try await desk.usher("open", "--reason", "activate", "--app", Self.id, "--wait", "handled").orThrow()
      let line = try await pipe.line("")
      #expect(line.hasPrefix("Remote notification support is unavailable due to error: "), "\(line)")
      #expect(line.contains("there is no push distributor"), "\(line)")
      try await sample.end(on: desk)
      let distributor = try await PushDistributor.start(on: desk)
      try await desk.usher("open", "--reason", "activate", "--app", Self.id, "--wait", "handled").orThrow()
      let first = try await token(pipe)
      distributor.replaceEndpoints()
      let second = try await token(pipe)
      #expect(first["endpoint"] != second["endpoint"] && first["keys"] == second["keys"])
      distributor.endRegistrations()
      #expect(try await pipe.line("").contains("the push distributor or the user has ended the registration"))
      try await sample.end(on: desk)
      try await desk.usher("open", "--reason", "activate", "--app", Self.id, "--wait", "handled").orThrow()
      _ = try await token(pipe)
      // The user ends it, too.
      try await desk.usher("push", "unregister", Self.id).orThrow()
      #expect(try await pipe.line("").contains("the push distributor or the user has ended the registration"))
      try await sample.end(on: desk)
    }
  }
}
