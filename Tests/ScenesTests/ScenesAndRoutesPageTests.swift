// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import SceneRoutes
import Scenes
import Systemd
import TestSupport
import Testing

@Suite struct `The page on scenes and routes` {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  private func unindented(_ text: some StringProtocol) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
  }

  @Test func `Its example is the one that is compiled`() throws {
    let blocks = try text("docs/scenes-and-routes.md").components(separatedBy: "```").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("swift\n") }.map { $0.element.dropFirst(6) }
    let example = unindented(try text("Tests/ScenesTests/ScenesAndRoutesExample.swift"))
    // The last block cannot be compiled without a GLib module; GLibLibrary of TestSupport does the equivalent.
    #expect(blocks.count == 4 && blocks.last?.hasPrefix("g_unix_fd_add") == true)
    for block in blocks.dropLast() { #expect(example.contains(unindented(block)), "\(block)") }
  }

  /// Runs in a loop of `poll`; the hosting itself is tested in SystemdTests.
  @Test func `Its scene deals with URLs on the thread of the main loop`() async throws {
    let host = HostedExecutor.shared
    let loop = PollLoop(watching: host.descriptor, start: host.attach, host.run)
    let routes = try await NoteScene.routes()
    let scene = NoteScene()
    func result(_ url: String, _ change: (inout Envelope) -> Void = { _ in }) async throws -> SceneResult {
      var envelope = Envelope(requestID: "1", urls: [url])
      change(&envelope)
      return try await routes.handle(SceneRequest(envelope), by: scene)
    }
    #expect(try await result("notes:/note/7?tab=edit") == .handled(7))
    #expect(try await result("https://notes.example/8#top") == .handled(8))
    #expect(try await result("notes:/search?q=x") == .handled)
    #expect(try await result("notes:/search?q=") == .notHandled)
    #expect(try await result("notes:/note/7/delete") == .notHandled)
    let clicked = try await result("notes:/note/7/delete") {
      ($0.userActivation, $0.assurance) = (.clicked, .unit)
    }
    #expect(clicked == .handled)
    try await loop.quit()
  }
}
