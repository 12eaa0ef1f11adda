// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import ScenesTesting
import Synchronization
import Testing

@testable import Scenes

@Suite struct `A delegate without a method for the launch reason` {
  /// Handles the link in its launch options.
  @MainActor final class LaunchOnly: ApplicationDelegate {
    var launched: URL?
    func application(
      _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
    ) -> Bool {
      launched = options?[.url]
      return true
    }
  }

  struct Silent: ApplicationDelegate {}

  @Test func `handles what its launch options delivered, and nothing later`() async throws {
    let delegate = LaunchOnly()
    let app = TestApplication(delegate: delegate)
    #expect(try await app.open("notes://a") == .handled)
    #expect(await delegate.launched?.absoluteString == "notes://a")
    #expect(try await app.open("notes://b") == .notHandled)
    #expect(try await app.deliver(.desktopAction("new")) == .notHandled)
  }

  @Test func `answers for itself if it has the method`() async throws {
    struct Located: ApplicationDelegate {
      let result: SceneResult
      func application(_: Application, didFinishLaunchingWithOptions _: LaunchOptions?) -> Bool { true }
      func application(_: Application, didReceive _: SceneRequest) -> SceneResult { result }
    }
    for result: SceneResult in [.notHandled, .handled(["seen": 3])] {
      let app = TestApplication(delegate: Located(result: result))
      #expect(try await app.deliver(.reason(.location, [:])) == result)
      #expect(try await app.deliver(.reason(.location, [:])) == result)
    }
  }

  @Test func `does not handle what its launch options would have delivered`() async throws {
    #expect(try await TestApplication(delegate: Silent()).open("notes://a") == .notHandled)
    #expect(try await TestApplication(delegate: Silent()).deliver(.desktopAction("new")) == .notHandled)
  }
}

@Suite struct `A notification that the user tapped` {
  private static let payload: PropertyList = [
    "action-identifier": "default", "user-info": ["show-view": "inbox"],
  ]

  private static var tapped: Envelope {
    var envelope = Envelope(requestID: RequestID.random(), urls: [])
    envelope.reason = .localNotification
    envelope.payload = payload
    return envelope
  }

  /// Has a method for its connection, and one for responses.
  @MainActor final class Inbox: SceneDelegate {
    nonisolated static let calls = Mutex<[String]>([])
    static func add(_ call: String) { calls.withLock { $0.append(call) } }
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
      Self.add("connect \(options.notificationResponse?.actionIdentifier ?? "nil")")
    }
    func scene(_ scene: Scene, didReceive response: NotificationResponse) {
      Self.add("receive \(response.notification.userInfo["show-view"]?.string ?? "")")
    }
  }

  struct NoDelegate: ApplicationDelegate {}

  @Test func `arrives in one method, cold and warm`() async throws {
    let app = TestApplication(delegate: NoDelegate(), scenes: SceneConfiguration { Inbox() })
    #expect(try await app.deliver(Self.tapped) == .handled)
    #expect(try await app.deliver(Self.tapped) == .handled)
    #expect(Inbox.calls.withLock { $0 } == ["connect default", "receive inbox", "receive inbox"])
  }

  @Test func `is delivered once to a scene without a method for its connection`() async throws {
    actor Receiver: SceneDelegate {
      var count = 0
      func scene(_ scene: Scene, didReceive response: NotificationResponse) { count += 1 }
    }
    let receiver = Receiver()
    let app = TestApplication(delegate: NoDelegate(), scenes: SceneConfiguration { receiver })
    #expect(try await app.deliver(Self.tapped) == .handled)
    #expect(await receiver.count == 1)
  }

  @Test func `is handled by a scene that reads it from its connection options`() async throws {
    struct Connecting: SceneDelegate {
      func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {}
    }
    let app = TestApplication(delegate: NoDelegate(), scenes: SceneConfiguration { Connecting() })
    #expect(try await app.deliver(Self.tapped) == .handled)
    #expect(try await app.deliver(Self.tapped) == .notHandled)
  }
}

@Suite struct `A delegate whose superclass conforms` {
  @MainActor class Base: ApplicationDelegate, SceneDelegate {
    func application(_ application: Application, open url: URL, options: OpenURLOptions) -> Bool { false }
  }
  final class Sub: Base {
    override func application(_ application: Application, open url: URL, options: OpenURLOptions) -> Bool {
      true
    }
    func applicationDidBecomeActive(_ application: Application) {}
  }

  @Test func `is reported, because only overriding methods are called`() async throws {
    let sub = Sub()
    let warning = InheritedConformance(of: sub as any ApplicationDelegate)
    #expect(
      warning?.description
        == "Sub inherits ApplicationDelegate from Base, so that only its methods that override a method of Base are "
        + "called; implement the others in Base, too")
    #expect(
      InheritedConformance(of: sub as any SceneDelegate)?.description.contains("inherits SceneDelegate")
        == true)
    #expect(InheritedConformance(of: Base() as any ApplicationDelegate) == nil)
    #expect(try await TestApplication(delegate: sub).open("notes://a") == .handled)
  }
}

@Suite struct `A method that looks like a delegate method` {
  @MainActor final class Misspelt: ApplicationDelegate, SceneDelegate {
    func application(_ application: Application, open url: URL, options: OpenURLOptions) -> Bool { true }
    func application(_ application: Application, open url: URL, options: [String: String]) -> Bool { true }
    func applicationDidLaunch(_ application: Application) {}
    func scene(_ scene: Scene, openURLs urls: [URL]) async {}
    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async {}
    func scene(named name: String) {}
    func applicationWillTerminate(_ application: Application) {}
  }

  @Test func `is reported by its signature, and the others are not`() {
    #expect(
      LookAlikeMethods(of: Misspelt.self).signatures == [
        "application(_: Scenes.Application, open: URL, options: Dictionary<String, String>)",
        "applicationDidLaunch(Scenes.Application)",
        "scene(_: Scenes.Scene, openURLs: Array<URL>)",
      ])
    #expect(
      LookAlikeMethods(of: `A delegate without a method for the launch reason`.LaunchOnly.self).signatures
        == [])
  }
}
