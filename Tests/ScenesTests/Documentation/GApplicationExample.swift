// SPDX-License-Identifier: Apache-2.0
import Scenes
import ScenesTesting
import Testing

// The code of "Coming from GApplication".

actor Jotter {
  private(set) var lines: [String] = []
  private var notes: [String: String]?

  func startUp() { notes = ["7": "Milk and honey"] }

  func handle(_ request: SceneRequest) -> SceneResult {
    // The desktop's menu: [Desktop Action new-note].
    if request.desktopAction == "new-note" { return add(request.payload?.string ?? "untitled") }
    switch request.reason {
    case .activate: return show("all notes")
    case .url:
      return .combining(
        request.urlStrings.map { url in
          guard let note = notes?[String(url.dropFirst("jotter:".count))] else { return .notHandled }
          return show(note)
        })
    default: return .notHandled
    }
  }

  private func add(_ text: String) -> SceneResult {
    lines.append("new: \(text)")
    return .handled
  }

  private func show(_ text: String) -> SceneResult {
    lines.append("shows: \(text)")
    return .handled(.string(text))
  }
}

func runJotter() async throws {
  let jotter = Jotter()
  let result = await SceneApplication("org.example.Jotter").main {
    await jotter.startUp()
  } _: { request in
    await jotter.handle(request)
  }
  if result == .forwarded { print("another instance is running and received the URL") }
}

@Suite struct `Coming from GApplication` {
  @Test func `One handler receives links, activation and actions, after startup`() async throws {
    let jotter = Jotter()
    let app = TestApplication(preparing: { await jotter.startUp() }) { await jotter.handle($0) }
    #expect(try await app.open("jotter:7") == .handled("Milk and honey"))
    #expect(try await app.open("jotter:7", "jotter:8") == .notHandled)
    #expect(try await app.deliver(.activate) == .handled("all notes"))
    #expect(try await app.deliver(.desktopAction("new-note")) == .handled)
    #expect(try await app.deliver(.desktopAction("new-note", parameter: "eggs")) == .handled)
    #expect(try await app.deliver(.shortcutItem("other")) == .notHandled)
    #expect(
      await jotter.lines == [
        "shows: Milk and honey", "shows: Milk and honey", "shows: all notes", "new: untitled", "new: eggs",
      ])
  }
}
