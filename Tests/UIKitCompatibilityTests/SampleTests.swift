// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import Scenes
import ScenesTesting
import TestSupport
import Testing
import UIKitCompatibility

@testable import UIKitActionableNotifications
@testable import UIKitBackgroundPush
@testable import UIKitBluetoothPeripheral
@testable import UIKitBluetoothRestoration
@testable import UIKitContactActions
@testable import UIKitDocuments
@testable import UIKitHandoff
@testable import UIKitLaunchOptions
@testable import UIKitLifeCycleNotifications
@testable import UIKitMultipleWindows
@testable import UIKitNewWindows
@testable import UIKitOpeningURLs
@testable import UIKitQuickActions
@testable import UIKitQuickActionsByDelegate
@testable import UIKitRemoteNotifications
@testable import UIKitSceneLifeCycle
@testable import UIKitSignificantChanges
@testable import UIKitStateRestoration
@testable import UIKitTokenForwarding
@testable import UIKitURLScheme
@testable import UIKitURLSchemeByScenes
@testable import UIKitUniversalLinks
@testable import UIKitUniversalLinksByDelegate
@testable import UIKitWindowTemplate

/// Tests one after the other, because each application is the shared one while it runs.
@Suite(.serialized) struct `UIKit compatibility` {}

/// The samples of `Examples/UIKit`.
extension `UIKit compatibility` {
  @Suite(.serialized) @MainActor struct `The UIKit sample` {
    private func request(_ reason: LaunchReason, _ payload: PropertyList) -> Envelope {
      var envelope = Envelope(requestID: RequestID.random(), urls: [])
      envelope.reason = reason
      envelope.payload = payload
      return envelope
    }

    private func scenes(_ delegate: any UISceneDelegate) -> SceneConfiguration {
      SceneConfiguration(name: "Default Configuration") { delegate }
    }

    private var universalLinks: Dependencies {
      var dependencies = Dependencies()
      dependencies.webLinks = .userActivities
      return dependencies
    }

    /// Waits until a state that tasks of the main actor reach.
    private func until(
      _ state: String, _ isReached: @escaping @MainActor @Sendable () -> Bool
    ) async throws {
      try await withDeadline(Command.defaultDeadline, state) {
        while !(await isReached()) {
          try Task.checkCancellation()
          await Task.yield()
        }
      }
    }

    @Test func `URLScheme gets the link and its sender, cold and warm`() async throws {
      let delegate = UIKitURLScheme.AppDelegate()
      let app = TestApplication(delegate: delegate)
      #expect(try await app.open("myphotoapp:Vacation?index=1", from: "org.example.Mail") == .handled)
      #expect(delegate.shownPhoto?.album == "Vacation" && delegate.shownPhoto?.index == 1)
      #expect(delegate.sender == "org.example.Mail")
      #expect(try await app.open("myphotoapp:Vacation?index=2") == .handled)
      #expect(delegate.shownPhoto?.index == 2 && delegate.sender == nil)
      #expect(try await app.open("myphotoapp:Vacation") == .notHandled)
      #expect(UIApplication.shared.delegate === delegate)
    }

    @Test func `URLSchemeByScenes gets the link in its scene, cold and warm`() async throws {
      let scene = UIKitURLSchemeByScenes.SceneDelegate()
      let app = TestApplication(delegate: UIKitURLSchemeByScenes.AppDelegate(), scenes: scenes(scene))
      #expect(try await app.open("myphotoapp:a", from: "org.example.Mail") == .handled)
      #expect(try await app.open("myphotoapp:b") == .handled)
      #expect(scene.links.map(\.url.absoluteString) == ["myphotoapp:a", "myphotoapp:b"])
      #expect(scene.links.map(\.sender) == ["org.example.Mail", nil])
      #expect(UIApplication.shared.connectedScenes.first?.delegate === scene)
      #expect(UIApplication.shared.openSessions.first?.scene === UIApplication.shared.connectedScenes.first)
    }

    @Test func `UniversalLinks gets activities, cold and warm`() async throws {
      let scene = UIKitUniversalLinks.SceneDelegate()
      let app = TestApplication(
        delegate: UIKitUniversalLinks.AppDelegate(), scenes: scenes(scene), in: universalLinks)
      #expect(try await app.open("https://photos.example.com/albums?album=one") == .handled)
      #expect(scene.album == "one")
      #expect(try await app.open("https://photos.example.com/albums?album=two") == .handled)
      #expect(scene.album == "two")
    }

    @Test func `UniversalLinksByDelegate restores its responders`() async throws {
      let delegate = UIKitUniversalLinksByDelegate.AppDelegate()
      let app = TestApplication(delegate: delegate, in: universalLinks)
      #expect(try await app.open("https://photos.example.com/albums/7") == .handled)
      #expect(delegate.viewer.path == "/albums/7")
      #expect(try await app.open("https://photos.example.com/other") == .notHandled)
    }

    @Test func `LaunchOptions iterates the dictionary`() async throws {
      let delegate = UIKitLaunchOptions.AppDelegate()
      let app = TestApplication(delegate: delegate)
      #expect(try await app.open("photos:a", from: "org.example.Mail") == .handled)
      #expect(delegate.isPrepared)
      #expect(delegate.launchURL == URL(string: "photos:a"))
      #expect(
        delegate.reasons == [
          "UIApplicationLaunchOptionsSourceApplicationKey: org.example.Mail",
          "UIApplicationLaunchOptionsURLKey: photos:a",
        ])
    }

    @Test func `StateRestoration continues in the next process`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
      defer { try? FileManager.default.removeItem(atPath: directory) }
      var dependencies = Dependencies()
      dependencies.stateDirectory = directory
      let first = UIKitStateRestoration.SceneDelegate()
      let app = TestApplication(
        delegate: UIKitStateRestoration.AppDelegate(), scenes: scenes(first), in: dependencies)
      try await app.launch()
      #expect(try await app.open("products://shop/chair") == .handled)
      try await app.quit()
      let second = UIKitStateRestoration.SceneDelegate()
      let next = TestApplication(
        delegate: UIKitStateRestoration.AppDelegate(), scenes: scenes(second), in: dependencies)
      try await next.launch()
      #expect(second.product == "chair")
      try await next.quit()
    }

    @Test func `QuickActions performs the action once, cold and warm`() async throws {
      let app = TestApplication(
        delegate: UIKitQuickActions.AppDelegate(),
        scenes: SceneConfiguration {
          Issue.record("the delegate has a class"); return await UIKitQuickActions.SceneDelegate()
        })
      #expect(try await app.deliver(.desktopAction("search")) == .handled)
      let scene = try #require(
        UIApplication.shared.connectedScenes.first?.delegate as? UIKitQuickActions.SceneDelegate)
      #expect(scene.performed == [.searchAction])
      #expect(try await app.deliver(.desktopAction("share")) == .handled)
      #expect(scene.performed == [.searchAction, .shareAction])
      #expect(try await app.deliver(.desktopAction("unknown")) == .notHandled)
    }

    @Test func `QuickActionsByDelegate answers by its completion handler`() async throws {
      let delegate = UIKitQuickActionsByDelegate.AppDelegate()
      let app = TestApplication(delegate: delegate)
      #expect(try await app.deliver(.desktopAction("compose")) == .handled)
      #expect(delegate.performed == ["launched for compose"])
      #expect(try await app.deliver(.desktopAction("compose")) == .handled)
      #expect(try await app.deliver(.desktopAction("other")) == .notHandled)
      #expect(delegate.performed == ["launched for compose", "compose", "other"])
    }

    @Test func `ActionableNotifications gets responses at the center's delegate, cold and warm`() async throws
    {
      let delegate = UIKitActionableNotifications.AppDelegate()
      let scene = UIKitActionableNotifications.SceneDelegate()
      let app = TestApplication(delegate: delegate, scenes: scenes(scene))
      let payload: PropertyList = ["user-info": ["MEETING_ID": "7"], "action-identifier": "default"]
      #expect(try await app.deliver(request(.localNotification, payload)) == .handled)
      let accepted: PropertyList = ["MEETING_ID": "8", "action-identifier": "ACCEPT_ACTION"]
      #expect(try await app.deliver(request(.remoteNotification, accepted)) == .handled)
      #expect(delegate.answers == ["opened 7", "accepted 8"])
      let other = UIKitActionableNotifications.AppDelegate()
      let plain = TestApplication(delegate: other)
      #expect(try await plain.deliver(request(.localNotification, payload)) == .handled)
      #expect(other.answers == ["opened 7"])
    }

    @Test func `BackgroundPush reports the result of its first call`() async throws {
      let delegate = UIKitBackgroundPush.AppDelegate()
      let app = TestApplication(delegate: delegate)
      let result = try await app.deliver(
        request(.remoteNotification, ["aps": ["content-available": 1], "acct-balance": 42]))
      #expect(result == .handled(["fetch-result": "new-data"]))
      #expect(delegate.balance == 42)
      let empty = try await app.deliver(request(.remoteNotification, ["aps": ["content-available": 1]]))
      #expect(empty == .handled(["fetch-result": "no-data"]))
    }

    @Test func `MultipleWindows opens an inspector and closes it`() async throws {
      let delegate = UIKitMultipleWindows.AppDelegate()
      let app = TestApplication(
        delegate: delegate, scenes: scenes(UIKitMultipleWindows.GallerySceneDelegate()))
      try await app.launch()
      let shared = UIApplication.shared
      let gallery = try #require(
        shared.connectedScenes.first?.delegate as? UIKitMultipleWindows.GallerySceneDelegate)
      #expect(shared.connectedScenes.first?.session.configuration.name == "Gallery")
      gallery.inspect("beach")
      // Requests are handled in order.
      try await app.openScene()
      let inspectors = shared.connectedScenes.filter {
        $0.delegate is UIKitMultipleWindows.InspectorSceneDelegate
      }
      let inspector = try #require(inspectors.first)
      #expect(inspector.title == "beach" && inspector.session.configuration.name == "Inspector")
      #expect(shared.connectedScenes.count == 3)
      let session = inspector.session
      (inspector.delegate as? UIKitMultipleWindows.InspectorSceneDelegate)?.close(session)
      try await app.openScene()
      #expect(delegate.discarded == [session.persistentIdentifier])
      #expect(session.scene == nil)
    }

    @Test func `SceneLifeCycle sees its states in UIKit's order`() async throws {
      let scene = UIKitSceneLifeCycle.SceneDelegate()
      let app = TestApplication(delegate: UIKitSceneLifeCycle.AppDelegate(), scenes: scenes(scene))
      try await app.launch()
      #expect(UIApplication.shared.applicationState == .active)
      try await app.move(scene: 1, to: .background)
      #expect(UIApplication.shared.applicationState == .background)
      try await app.disconnect()
      #expect(
        scene.events == ["connect true", "foreground", "active true", "resign", "background", "disconnect"])
    }

    @Test func `OpeningURLs opens a URL and learns the result`() async throws {
      let delegate = UIKitOpeningURLs.AppDelegate()
      let app = TestApplication(delegate: delegate)
      #expect(try await app.open("help:1") == .handled)
      try await withDeadline(Command.defaultDeadline, "the result") {
        while await delegate.results.isEmpty { await Task.yield() }
      }
      #expect(delegate.results.first == "state 1")
      #expect(app.opened.map(\.urls) == [["https://example.org/help"]])
      #expect(app.opened.first?.options.universalLinksOnly == true)
    }

    @Test func `Documents arrive from the command line, to be changed in place`() async throws {
      let delegate = UIKitDocuments.AppDelegate()
      let app = TestApplication(delegate: delegate)
      try await app.launch(arguments: ["/tmp/letter.txt"])
      try await app.open("file:///tmp/copy.txt")
      #expect(delegate.opened == ["letter.txt in place", "copy.txt copied"])
    }

    @Test func `Handoff waits for the activity`() async throws {
      let scene = UIKitHandoff.SceneDelegate()
      let app = TestApplication(delegate: UIKitHandoff.AppDelegate(), scenes: scenes(scene))
      try await app.launch()
      let type: PropertyList = ["type": "org.example.edit", "handoff": true]
      #expect(try await app.deliver(request(.userActivity, type)) == .handled)
      let activity: PropertyList = ["type": "org.example.edit", "user-info": ["text": "Dear"]]
      #expect(try await app.deliver(request(.userActivity, activity)) == .handled)
      let failed: PropertyList = ["type": "org.example.edit", "error": "out of reach"]
      #expect(try await app.deliver(request(.userActivity, failed)) == .handled)
      #expect(scene.progress == ["waiting for org.example.edit", "continuing Dear", "failed: out of reach"])
    }

    @Test func `Handoff reads a page from another device, cold and warm`() async throws {
      let scene = UIKitHandoff.SceneDelegate()
      let app = TestApplication(delegate: UIKitHandoff.AppDelegate(), scenes: scenes(scene))
      for page in ["https://pages.example.com/1", "https://pages.example.com/2"] {
        #expect(try await app.deliver(.handoff(webPage: page)) == .handled)
      }
      #expect(
        scene.progress == [
          "reading https://pages.example.com/1", "waiting for NSUserActivityTypeBrowsingWeb",
          "reading https://pages.example.com/2",
        ])
    }

    @Test func `BluetoothPeripheral publishes the service, and answers and follows devices`() async throws {
      let delegate = UIKitBluetoothPeripheral.AppDelegate()
      let app = TestApplication(delegate: delegate)
      try await app.launch()
      try await until("the advertisement") { app.bluetoothPeripherals.first?.advertisement != nil }
      let peripheral = try #require(app.bluetoothPeripherals.first)
      #expect(peripheral.identifier == "myPeripheralManagerIdentifier")
      #expect(peripheral.advertisement?.localName == "Lamp")
      let id = try #require(peripheral.characteristics.first)
      #expect(peripheral[id]?.flags == ["read", "write", "notify"])
      #expect(try await app.readValue(of: id, of: peripheral.identifier) == [50])
      #expect(try await app.setSubscribed(true, to: id, of: peripheral.identifier) == .handled)
      #expect(try await app.writeValue([7], to: id, of: peripheral.identifier) == .handled)
      try await until("the value") { app.sentBluetoothValues.map(\.value) == [[7]] }
      #expect(try await app.readValue(of: id, of: peripheral.identifier) == [7])
      #expect(try await app.setSubscribed(false, to: id, of: peripheral.identifier) == .handled)
      #expect(delegate.log == ["ready", "advertises", "read", "subscribed", "write 7", "unsubscribed"])
      let manager = try #require(delegate.myPeripheralManager)
      #expect(manager.isAdvertising && CBPeripheralManager.authorization == .allowedAlways)
      manager.stopAdvertising()
      manager.removeAllServices()
      try await until("the end") { app.bluetoothPeripherals.isEmpty }
    }

    @Test func `BluetoothRestoration monitors the service, and finds and follows a device`() async throws {
      let delegate = UIKitBluetoothRestoration.AppDelegate()
      let app = TestApplication(delegate: delegate)
      try await app.launch()
      try await until("the central") { !app.bluetoothCentrals.isEmpty }
      let central = try #require(app.bluetoothCentrals.first)
      #expect(central.identifier == "myCentralManagerIdentifier")
      #expect(central.services.map(\.text) == ["0000180d-0000-1000-8000-00805f9b34fb"])
      let address = try #require(BluetoothAddress("00:1A:7D:DA:71:13"))
      let belt = BluetoothDevice(address: address, name: "Belt", services: central.services)
      #expect(try await app.bringDevice(belt, intoRangeOf: central.identifier) == .handled)
      try await until("the device") { app.bluetoothCentrals.first?.devices == [address] }
      #expect(try await app.connectDevice(belt, of: central.identifier) == .handled)
      #expect(delegate.log == ["ready", "found Belt", "Belt connected"])
      let peripheral = try #require(delegate.peripherals.first)
      #expect(peripheral.identifier.uuidString == "00000000-0000-8000-8000-001A7DDA7113")
      #expect(peripheral.state == .connected)
      let manager = try #require(delegate.myCentralManager)
      #expect(manager.retrievePeripherals(withIdentifiers: [UUID(), peripheral.identifier]) == [peripheral])
      #expect(CBUUID(string: "180D").uuidString == "180D" && "\(CBUUID(string: "180D"))" == "180D")
      #expect(CBUUID(string: "heart").uuidString == "")
      #expect(CBCentralManager.authorization == .allowedAlways)
      manager.stopScan()
      manager.registerForConnectionEvents()
      try await until("the end") { app.bluetoothCentrals.isEmpty }
    }

    @Test func `WindowTemplate keeps the window of its scene`() async throws {
      let scene = UIKitWindowTemplate.SceneDelegate()
      let app = TestApplication(delegate: UIKitWindowTemplate.AppDelegate(), scenes: scenes(scene))
      #expect(try await app.open("notes:one") == .handled)
      let window = try #require(scene.window)
      #expect(window.rootViewController?.title == "one" && window.isKeyWindow && !window.isHidden)
      #expect(window.windowScene?.windows == [window])
      #expect(try await app.open("notes:two") == .handled)
      #expect(window.rootViewController?.title == "two")
      let windowScene = try #require(window.windowScene)
      await windowScene.windowChanged(isVisible: true, hasFocus: false)
      #expect(UIApplication.shared.applicationState == .inactive)
      await windowScene.windowChanged(isVisible: false, hasFocus: false)
      #expect(UIApplication.shared.applicationState == .background)
      await windowScene.windowChanged(isVisible: true, hasFocus: true)
      #expect(windowScene.activationState == .foregroundActive)
      windowScene.windowClosed()
      await app.untilIdle()
      #expect(scene.window == nil)
    }

    @Test func `LifeCycleNotifications gets those of its scenes and of the application`() async throws {
      let delegate = UIKitLifeCycleNotifications.AppDelegate()
      let app = TestApplication(
        delegate: delegate, scenes: scenes(UIKitLifeCycleNotifications.SceneDelegate()))
      try await app.launch()
      #expect(
        delegate.events == [
          "UISceneWillConnectNotification", "UIApplicationWillEnterForegroundNotification",
          "UISceneDidActivateNotification", "UIApplicationDidBecomeActiveNotification",
        ])
      // While another scene is active, the application stays active.
      try await app.openScene()
      delegate.events = []
      try await app.move(scene: 2, to: .background)
      #expect(delegate.events == [])
      try await app.move(scene: 1, to: .background)
      #expect(
        delegate.events == [
          "UIApplicationWillResignActiveNotification", "UIApplicationDidEnterBackgroundNotification", "sent",
        ])
    }

    @Test func `LifeCycleNotifications gets those of an application without scenes`() async throws {
      let delegate = UIKitLifeCycleNotifications.AppDelegate()
      let app = TestApplication(delegate: delegate)
      try await app.launch()
      await app.move(to: .background)
      #expect(
        delegate.events == [
          "UIApplicationDidBecomeActiveNotification", "UIApplicationWillResignActiveNotification",
          "UIApplicationDidEnterBackgroundNotification", "sent",
        ])
    }

    @Test func `RemoteNotifications learns that it is not registered, and presents in the foreground`()
      async throws
    {
      let delegate = UIKitRemoteNotifications.AppDelegate()
      var dependencies = Dependencies()
      dependencies.registering = { _ throws(SceneError) in
        throw .notRegistered("there is no push distributor")
      }
      let app = TestApplication(delegate: delegate, in: dependencies)
      let local: PropertyList = ["identifier": "tea", "alert": ["title": "Tea", "body": "is ready"]]
      try await app.launch()
      try await until("an error of the registration") { !delegate.log.isEmpty }
      #expect(
        delegate.log == [
          "Failed to register: there is no push distributor"
        ])
      #expect(try await app.deliver(request(.localNotification, local)).isHandled)
      let pushed: PropertyList = ["aps": ["alert": ["title": "Milk"], "badge": 9]]
      #expect(
        try await app.deliver(request(.remoteNotification, pushed))
          == .handled(["presentation": ["banner", "list", "sound"]]))
      let silent: PropertyList = ["aps": ["content-available": 1, "badge": 9]]
      #expect(
        try await app.deliver(request(.remoteNotification, silent)) == .handled(["fetch-result": "no-data"]))
      // In the background, a notification is for the user alone, and the form of iOS 3 is not called.
      await app.move(to: .background)
      for (reason, payload) in [(.localNotification, local), (.remoteNotification, pushed)]
        as [(LaunchReason, PropertyList)]
      {
        #expect(try await app.deliver(request(reason, payload)) == .notHandled)
      }
      #expect(try await app.deliver(request(.remoteNotification, silent)) == .notHandled)
      let dismissed: PropertyList = ["identifier": "tea", "action-identifier": "dismiss"]
      #expect(try await app.deliver(request(.localNotification, dismissed)) == .handled)
      #expect(delegate.log.dropFirst() == ["present tea: Tea", "present : Milk", "received 9", "later tea"])
    }

    @Test func `SignificantChanges is started for a location, and gets it at the delegate of its manager`()
      async throws
    {
      let delegate = UIKitSignificantChanges.AppDelegate()
      let app = TestApplication(delegate: delegate)
      try await app.launch()
      try await until("monitored") { delegate.log.contains("home unknown") }
      #expect(delegate.log == ["authorized", "monitors home", "home unknown"])
      #expect(app.monitoredRegions.map(\.identifier) == ["home"])
      #expect(app.monitorsSignificantLocationChanges)
      #expect(delegate.locationManager.monitoredRegions.map(\.identifier) == ["home"])
      try await app.enterRegion("home")
      try await app.exitRegion("home")
      let point = try #require(Coordinate(latitude: 48.5, longitude: 11))
      let location = try #require(
        Location(coordinate: point, horizontalAccuracy: 10, date: WallTime(milliseconds: 0)))
      #expect(try await app.changeLocation(to: location) == .handled)
      #expect(delegate.log.suffix(3) == ["entered home", "left home", "moved to 48.50"])
      let second = UIKitSignificantChanges.AppDelegate()
      let next = TestApplication(delegate: second)
      let event = LocationEvent.moved(location)
      try await next.deliver(request(.location, event.payload(date: WallTime(milliseconds: 0))))
      #expect(second.log.first == "started for a location" && second.log.contains("moved to 48.50"))
      var refusing = Dependencies()
      refusing.allowsLocation = false
      let third = UIKitSignificantChanges.AppDelegate()
      let refused = TestApplication(delegate: third, in: refusing)
      try await refused.launch()
      try await until("refused") { third.log.count == 2 }
      #expect(
        third.log == [
          "denied", "cannot monitor home: the user does not allow this application to use the location",
        ])
    }

    @Test func `TokenForwarding gets a token, and pushes in the foreground, in the background and by a tap`()
      async throws
    {
      let delegate = UIKitTokenForwarding.AppDelegate()
      let app = TestApplication(
        delegate: delegate, scenes: SceneConfiguration { await UIKitTokenForwarding.SceneDelegate() })
      // A message for the background starts it, without a window.
      #expect(try await app.push(["note": 7]).result == .handled(["fetch-result": "new-data"]))
      await app.untilIdle()
      #expect(UIApplication.shared.isRegisteredForRemoteNotifications)
      #expect(delegate.log.first == "fetch 7 in the background")
      let hexadecimal = try #require(delegate.log.last?.split(separator: "=").last)
      #expect(delegate.log.count == 2 && String(hexadecimal.prefix(2)) == "7b")
      let bytes = stride(from: 0, to: hexadecimal.count, by: 2).compactMap {
        UInt8(hexadecimal.dropFirst($0).prefix(2), radix: 16)
      }
      let token = try PropertyList(json: String(decoding: bytes, as: UTF8.self))
      #expect(token["endpoint"] == "https://push.example.org/1")
      #expect(token["keys"]?["auth"]?.string?.count == 22)
      delegate.log = []

      #expect(try await app.application.notifications.requestAuthorization(options: .alert))
      let unseen = try await app.push(["aps": ["alert": ["title": "Milk"]], "note": 8])
      #expect(unseen.presentation == [.banner, .list, .sound, .badge] && unseen.result == nil)
      #expect(delegate.log == [])
      try await app.respond(toNotification: try #require(unseen.identifier))
      #expect(delegate.log == ["open Milk 8"])
      let both = try await app.push(["aps": ["alert": ["title": "Tea"], "content-available": 1], "note": 9])
      #expect(both.presentation == [.banner, .list])
      #expect(both.result == .handled(["fetch-result": "new-data"]))
      #expect(delegate.log == ["open Milk 8", "present Tea", "fetch 9 "])
      let shown = await UNUserNotificationCenter.current().deliveredNotifications()
      #expect(shown.map(\.request.identifier) == [both.identifier])
      #expect(shown.first?.request.trigger is UNPushNotificationTrigger)
      UIApplication.shared.unregisterForRemoteNotifications()
      await app.untilIdle()
      #expect(!UIApplication.shared.isRegisteredForRemoteNotifications)
    }

    @Test func `An application registers with the key of its server`() async throws {
      var dependencies = Dependencies()
      dependencies.registering = { key throws(SceneError) in
        RemoteNotificationToken(
          endpoint: "https://push.example.org/\(key ?? "")", publicKey: [4], authenticationSecret: [2])
      }
      let delegate = UIKitTokenForwarding.AppDelegate()
      let app = TestApplication(
        delegate: delegate, scenes: SceneConfiguration { await UIKitTokenForwarding.SceneDelegate() },
        in: dependencies)
      try await app.launch()
      await app.untilIdle()
      _ = app.takeCalls()
      UIApplication.shared.registerForRemoteNotifications(vapid: "key")
      await app.untilIdle()
      #expect(app.takeCalls() == [.didRegisterForRemoteNotifications("https://push.example.org/key")])
    }

    @Test func `ContactActions gets the data of its item, cold and warm`() async throws {
      let delegate = UIKitContactActions.AppDelegate()
      let app = TestApplication(
        delegate: delegate, scenes: scenes(UIKitContactActions.SceneDelegate()))
      #expect(try await app.deliver(.shortcutItem("Call", userInfo: ["identifier": "1"])) == .handled)
      #expect(try await app.deliver(.shortcutItem("Call", userInfo: ["identifier": "2"])) == .handled)
      #expect(try await app.deliver(.shortcutItem("Call")) == .notHandled)
      #expect(delegate.called == ["launched for Call", "Anna", "Ben"])
    }

    @Test func `NewWindows opens a window, whose scene prefers its document, and closes it`() async throws {
      let delegate = UIKitNewWindows.AppDelegate()
      let app = TestApplication(
        delegate: delegate, scenes: SceneConfiguration { await UIKitNewWindows.SceneDelegate() })
      try await app.launch()
      delegate.openInNewWindow("letter")
      await app.untilIdle()
      let shared = UIApplication.shared
      let scene = try #require(shared.connectedScenes.first { $0.title == "letter" } as? UIWindowScene)
      #expect(shared.connectedScenes.count == 2 && delegate.failures == [])
      try await app.move(scene: 1, to: .background)
      #expect(delegate.activeWindow === scene.windows.first && delegate.activeWindow != nil)
      try await app.move(scene: 1, to: .foregroundActive)
      #expect(
        app.scene(2)?.activationConditions.prefersToActivateForTargetContentIdentifier
          == .or([.equals("letter")]))
      delegate.refresh()
      delegate.close(scene)
      await app.untilIdle()
      #expect(shared.connectedScenes.count == 1)
      // The session is destroyed already.
      delegate.close(scene)
      await app.untilIdle()
      try await until("an error of the second request") { !delegate.failures.isEmpty }
      #expect(delegate.failures.count == 1)
    }
  }
}
