// SPDX-License-Identifier: Apache-2.0
import Scenes
import ScenesTesting
import Testing

// The code of "Coming from Electron".

actor Shop {
  private(set) var pages: [String] = []
  private var isReady = false

  func makeWindow() async throws {
    // Load what the window needs; this may take any time.
    isReady = true
  }

  func open(_ request: SceneRequest) throws -> SceneResult {
    guard isReady else { throw NotReady() }
    pages.append(request.urlString)
    return .handled(["page": .integer(Int64(pages.count))])
  }
}

struct NotReady: Error {}

@MainActor final class ItemScene: SceneDelegate {
  func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
    for context in contexts {
      scene.activationConditions = SceneActivationConditions(
        canActivate: .none, prefersToActivate: .beginsWith(context.urlString))
    }
  }
}

func runShop() async throws {
  let shop = Shop()
  await SceneApplication("org.example.Shop").main {
    try await shop.makeWindow()
  } _: { request in
    try await shop.open(request)
  }
}

@Suite struct `Coming from Electron` {
  @Test func `Links that come before the window is ready arrive in order`() async throws {
    let shop = Shop()
    let app = TestApplication(preparing: { try await shop.makeWindow() }) { try await shop.open($0) }
    let first = await app.send("shop:cart")
    let second = await app.send("shop:item/7")
    let third = await app.send("shop:checkout")
    #expect(try await third.result == .handled(["page": 3]))
    #expect(await shop.pages == ["shop:cart", "shop:item/7", "shop:checkout"])
    #expect(try await first.result == .handled(["page": 1]))
    #expect(try await second.result == .handled(["page": 2]))
  }

  @Test func `Each item has a window, which gets its links again`() async throws {
    let app = TestApplication(delegate: PhotosDelegate(), scenes: SceneConfiguration { ItemScene() })
    for url in ["shop:item/7", "shop:item/8", "shop:item/7?from=mail"] { try await app.open(url) }
    #expect(
      app.calls.last == .sceneOpenURLContexts(1, "shop:item/7?from=mail") && app.scene(2) != nil
        && app.scene(3) == nil)
  }
}
