// SPDX-License-Identifier: Apache-2.0
import Foundation
import ScenesTesting
import Testing

@testable import Scenes
@testable import UIKitCompatibility

private class PlainDelegate: UIResponder, UIApplicationDelegate {}

extension `UIKit compatibility` {
  /// A program that runs for long would otherwise keep an object for each device and each session.
  @Suite(.serialized) @MainActor struct `An object of UIKit` {
    private struct WeakReference {
      weak var object: AnyObject?
    }

    @Test
    func `of a device is one for each device, and is released with the last reference of the application`()
      async throws
    {
      let app = TestApplication(delegate: PlainDelegate())
      try await app.launch()
      let manager = CBCentralManager(delegate: nil, queue: nil)
      let identifier = try #require(UUID(uuidString: "00000000-0000-8000-8000-001A7DDA7113"))
      var found = manager.retrievePeripherals(withIdentifiers: [identifier])
      let reference = WeakReference(object: found.first)
      #expect(reference.object != nil)
      #expect(manager.retrievePeripherals(withIdentifiers: [identifier]).first === reference.object)
      withExtendedLifetime(found) {}
      found = []
      #expect(reference.object == nil)
    }

    @Test func `of a session is released when the session is discarded`() async throws {
      let delegate = PlainDelegate()
      let app = TestApplication(delegate: delegate)
      try await app.launch()
      let session = SceneSession("discarded")
      let reference = WeakReference(object: UIApplication.shared.session(session))
      #expect(reference.object != nil)
      await delegate.application(app.application, didDiscardSceneSessions: [session])
      #expect(reference.object == nil)
    }
  }
}
