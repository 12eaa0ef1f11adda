// SPDX-License-Identifier: Apache-2.0
import Scenes
import ScenesTesting
import Testing

// The code of "Getting started" and of the first page.

actor Notes {
  private let titles = [7: "Milk and honey"]

  func open(_ request: SceneRequest) throws -> SceneResult {
    guard let number = Self.number(in: request.urlString) else { return .notHandled }
    guard let title = titles[number] else { throw NoSuchNote(number: number) }
    print("\(request.sourceApplication ?? "an unknown program") opens \(title)")
    return .handled(["title": .string(title)])
  }

  private static func number(in url: String) -> Int? {
    let prefix = "notes://note/"
    return url.hasPrefix(prefix) ? Int(url.dropFirst(prefix.count)) : nil
  }
}

struct NoSuchNote: Error, CustomStringConvertible {
  let number: Int
  var description: String { "there is no note \(number)" }
}

func runGettingStarted() async throws {
  let notes = Notes()
  await SceneApplication("org.example.Notes").main { try await notes.open($0) }
}

func runFirstPage(_ notes: some FirstPageNotes) async throws {
  await SceneApplication("org.example.Notes").main { request in
    guard let title = await notes.title(of: request.urlString) else { return .notHandled }
    return .handled(["title": .string(title)])
  }
}

protocol FirstPageNotes: Sendable {
  func title(of url: String) async -> String?
}

@Suite struct `Getting started` {
  @Test func `Its handler behaves as documented`() async throws {
    let notes = Notes()
    let app = TestApplication { try await notes.open($0) }
    #expect(
      try await app.open("notes://note/7", from: "org.example.Mail") == .handled(["title": "Milk and honey"]))
    #expect(try await app.open("notes://settings") == .notHandled)
    await #expect(throws: RequestFailure.failed("there is no note 8")) {
      try await app.open("notes://note/8")
    }
  }
}
