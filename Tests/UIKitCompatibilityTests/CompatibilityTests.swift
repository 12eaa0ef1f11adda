// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import Scenes
import ScenesTesting
import Synchronization
import TestSupport
import Testing
import UIKitCompatibility

/// A delegate with the methods of early versions.
private class EarlyDelegate: UIResponder, UIApplicationDelegate {
  var opened: [String] = []
  func application(_ application: UIApplication, handleOpen url: URL) -> Bool {
    opened.append(url.absoluteString)
    return true
  }
}

private class SourceDelegate: UIResponder, UIApplicationDelegate {
  var opened: [String] = []
  func application(
    _ application: UIApplication, open url: URL, sourceApplication: String?, annotation: Any
  ) -> Bool {
    opened.append("\(url) from \(sourceApplication ?? "unknown")")
    return true
  }
}

/// A delegate that releases its completion handler without a call.
private class ForgetfulDelegate: UIResponder, UIApplicationDelegate {
  func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {}
}

/// A delegate with the asynchronous forms.
private class AsyncDelegate: UIResponder, UIApplicationDelegate {
  var count = 0
  func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem
  ) async -> Bool {
    await Task.yield()
    count += 1
    return true
  }
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult {
    count += 1
    return .newData
  }
}

extension `UIKit compatibility` {
  @Suite(.serialized) @MainActor struct `UIKit's names` {
    @Test func `in their early forms are called`() async throws {
      let early = EarlyDelegate()
      #expect(try await TestApplication(delegate: early).open("notes:1") == .handled)
      #expect(early.opened == ["notes:1"])
      let source = SourceDelegate()
      #expect(
        try await TestApplication(delegate: source).open("notes:1", from: "org.example.Mail") == .handled)
      #expect(source.opened == ["notes:1 from org.example.Mail"])
    }

    @Test func `lead to the objects of Scenes`() async throws {
      class SceneDelegate: UIResponder, UIWindowSceneDelegate {}
      let scene = SceneDelegate()
      let app = TestApplication(delegate: EarlyDelegate(), scenes: SceneConfiguration { scene })
      try await app.launch()
      #expect(UIApplication.shared.application === app.application)
      #expect(UIApplication().application == nil)
      let connected = try #require(UIApplication.shared.connectedScenes.first)
      #expect(connected.scene === app.scene(1))
      #expect(UIScene().scene == nil)
      let request = DownloadRequest(
        identifier: "map", url: try #require(DownloadURL("https://example.org/map.zip")))
      _ = try await UIApplication.shared.application?.downloads.add(request)
      #expect(app.pendingDownloads.map(\.identifier) == ["map"])
    }

    @Test func `in their asynchronous forms are called`() async throws {
      let delegate = AsyncDelegate()
      let app = TestApplication(delegate: delegate)
      #expect(try await app.deliver(.desktopAction("new")) == .handled)
      var push = Envelope(requestID: RequestID.random(), urls: [])
      push.reason = .remoteNotification
      #expect(try await app.deliver(push) == .handled(["fetch-result": "new-data"]))
      #expect(delegate.count == 2)
    }

    @Test func `with a handler that is never called do not wait forever`() async throws {
      #expect(
        try await TestApplication(delegate: ForgetfulDelegate()).deliver(.desktopAction("new")) == .notHandled
      )
    }

    @Test func `have the notification of the launch`() async throws {
      let early = EarlyDelegate()
      let names = Names()
      let observer = NotificationCenter.default.addObserver(
        forName: UIApplication.didFinishLaunchingNotification, object: nil, queue: nil
      ) { notification in
        let url = notification.userInfo?[UIApplication.LaunchOptionsKey.url] as? URL
        names.add(url?.absoluteString ?? "nil")
      }
      defer { NotificationCenter.default.removeObserver(observer) }
      try await TestApplication(delegate: early).open("launch-notification:1")
      #expect(names.all.contains("launch-notification:1"))
    }

    @Test func `have the notifications of a scene that is disconnected`() async throws {
      class SceneDelegate: UIResponder, UIWindowSceneDelegate {}
      let scene = SceneDelegate()
      let app = TestApplication(delegate: EarlyDelegate(), scenes: SceneConfiguration { scene })
      try await app.launch()
      let names = Names()
      let observers = [
        UIScene.willDeactivateNotification, UIScene.didEnterBackgroundNotification,
        UIScene.didDisconnectNotification,
      ].map { name in
        NotificationCenter.default.addObserver(
          forName: name, object: UIApplication.shared.connectedScenes.first, queue: nil
        ) { names.add($0.name.rawValue) }
      }
      try await app.disconnect()
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
      #expect(
        names.all == [
          "UISceneWillDeactivateNotification", "UISceneDidEnterBackgroundNotification",
          "UISceneDidDisconnectNotification",
        ])
    }

    @Test func `restore a scene that has no method for its connection`() async throws {
      class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        var restored: [String] = []
        func scene(
          _ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity
        ) { restored.append(stateRestorationActivity.activityType) }
        func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
          NSUserActivity(activityType: "org.example.edit")
        }
      }
      let scene = SceneDelegate()
      let app = TestApplication(delegate: EarlyDelegate(), scenes: SceneConfiguration { scene })
      try await app.launch()
      #expect(scene.restored == [])
      try await app.disconnect()
      try await app.deliver(.reason(.activate))
      #expect(scene.restored == ["org.example.edit"])
    }

    /// A link that was handled already was executed once more at each start.
    @Test func `restore nothing that no delegate returned`() async throws {
      class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        var restored: [String] = []
        func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
        func scene(
          _ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity
        ) { restored.append(stateRestorationActivity.activityType) }
      }
      let scene = SceneDelegate()
      let app = TestApplication(delegate: EarlyDelegate(), scenes: SceneConfiguration { scene })
      try await app.open("notes://send/7")
      #expect(app.session()?.stateRestorationActivity?.webpageURL == "notes://send/7")
      try await app.disconnect()
      try await app.deliver(.reason(.activate))
      #expect(scene.restored == [])
      let session = try #require(UIApplication.shared.openSessions.first)
      #expect(session.stateRestorationActivity == nil)
    }

    @Test func `have launch options of all fourteen reasons`() async throws {
      class LaunchDelegate: UIResponder, UIApplicationDelegate {
        var options: [UIApplication.LaunchOptionsKey: Any]?
        func application(
          _ application: UIApplication,
          didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
          options = launchOptions
          return true
        }
      }
      let downloads = LaunchDelegate()
      try await TestApplication(delegate: downloads).deliver(.reason(.newsstandDownloads, ["a", "b"]))
      #expect(downloads.options?[.newsstandDownloads] as? [String] == ["a", "b"])
      class SessionDelegate: UIResponder, UIApplicationDelegate {
        var events: [String] = []
        var options: [UIApplication.LaunchOptionsKey: Any]?
        func application(
          _ application: UIApplication,
          didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
          options = launchOptions
          return true
        }
        func application(
          _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
          completionHandler: @escaping () -> Void
        ) {
          let download = SceneRequest.current?.finishedDownload
          events += [identifier, download?.identifier ?? "", download?.file ?? ""]
          completionHandler()
        }
      }
      let finished: PropertyList = [
        "identifiers": ["map"], "identifier": "map", "session-identifier": "maps", "outcome": "completed",
        "file": "/data/map.zip",
      ]
      let session = SessionDelegate()
      let app = TestApplication(delegate: session)
      #expect(try await app.deliver(.reason(.newsstandDownloads, finished)) == .handled)
      #expect(session.options?[.newsstandDownloads] as? [String] == ["map"])
      #expect(try await app.deliver(.reason(.newsstandDownloads, finished)) == .handled)
      #expect(session.events == ["maps", "map", "/data/map.zip", "maps", "map", "/data/map.zip"])
      let alone: PropertyList = ["identifiers": ["map"], "identifier": "map", "outcome": "cancelled"]
      #expect(try await app.deliver(.reason(.newsstandDownloads, alone)) == .notHandled)
      let share = LaunchDelegate()
      try await TestApplication(delegate: share).deliver(.reason(.cloudKitShare, ["share": "7"]))
      #expect(share.options?[.cloudKitShareMetadata] as? [String: String] == ["share": "7"])
    }

    @Test func `have the event attribution of a link`() async throws {
      class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        var campaigns: [String?] = []
        func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
          let attribution = URLContexts.first?.options.eventAttribution as? [String: String]
          campaigns.append(attribution?["campaign"])
        }
      }
      let scene = SceneDelegate()
      let app = TestApplication(delegate: EarlyDelegate(), scenes: SceneConfiguration { scene })
      var link = Envelope.urls(["notes:1"])
      link.payload = ["event-attribution": ["campaign": "autumn"]]
      #expect(try await app.deliver(link) == .handled)
      #expect(try await app.open("notes:2") == .handled)
      #expect(scene.campaigns == ["autumn", nil])
    }

    @Test func `store the values of property lists for the next process`() async throws {
      class SceneDelegate: UIResponder, UIWindowSceneDelegate {
        let activity = NSUserActivity(activityType: "org.example.edit")
        var restored: [AnyHashable: Any] = [:]
        func scene(_ scene: UIScene, restoreInteractionStateWith activity: NSUserActivity) {
          restored = activity.userInfo ?? [:]
        }
        func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { activity }
      }
      let identifier = UUID()
      let first = SceneDelegate()
      first.activity.userInfo = [
        "text": "a", "flag": true, "number": 1, "bridged": NSNumber(value: 1),
        "bridged flag": NSNumber(value: true),
        "small": Int8(-3), "byte": UInt8(3), "long": Int64.min, "unsigned": UInt(7), "float": Float(1.5),
        "offset": CGFloat(2.5), "list": [1, [true]] as [Any], "data": Data([0, 255]),
        "identifier": identifier,
        "date": Date(timeIntervalSince1970: 0.25), "link": try #require(URL(string: "notes://1")),
        "nested": ["data": [Data([1])]],
      ]
      first.activity.addUserInfoEntries(from: [
        "too large": UInt64.max, "infinite": Double.infinity, "null": NSNull(),
        "list with null": [1, NSNull(), 2],
        "dictionary with null": ["a": 1, "b": NSNull()] as [String: Any],
      ])
      let directory = try TemporaryDirectory()
      var dependencies = Dependencies()
      dependencies.stateDirectory = directory.path
      let app = TestApplication(
        delegate: EarlyDelegate(), scenes: SceneConfiguration { first }, in: dependencies)
      try await app.launch()
      let stored: [String: PropertyList] = [
        "text": "a", "flag": true, "number": 1, "bridged": 1, "bridged flag": true, "small": -3, "byte": 3,
        "long": .integer(.min), "unsigned": 7, "float": 1.5, "offset": 2.5, "list": [1, [true]],
        "data": .data([0, 255]), "identifier": .string(identifier.uuidString), "link": "notes://1",
        "nested": ["data": [.data([1])]],
      ]
      var userInfo = try #require(app.session()?.stateRestorationActivity?.userInfo)
      #expect(userInfo.removeValue(forKey: "date")?.string == "1970-01-01T00:00:00.250Z")
      #expect(userInfo == stored)
      try await app.quit()

      let second = SceneDelegate()
      let next = TestApplication(
        delegate: EarlyDelegate(), scenes: SceneConfiguration { second }, in: dependencies)
      try await next.launch()
      #expect(second.restored["data"] as? Data == Data([0, 255]))
      #expect(second.restored["number"] as? Int == 1)
      #expect(second.restored["flag"] as? Bool == true)
      #expect(second.restored["float"] as? Double == 1.5)
      #expect(second.restored["date"] as? String == "1970-01-01T00:00:00.250Z")
      #expect(second.restored.count == stored.count + 1)
      try await next.quit()
      withExtendedLifetime(directory) {}
    }
  }
}

private final class Names: Sendable {
  private let names = Mutex<[String]>([])
  func add(_ name: String) { names.withLock { $0.append(name) } }
  var all: [String] { names.withLock { $0 } }
}
