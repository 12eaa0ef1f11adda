// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

@testable import Scenes

/// Tests of the delegate calls and their order for every kind of start, each compared with a stored text.
///
/// `USHER_WRITE_TRANSCRIPTS=1` regenerates the texts; review them before committing them.
@Suite struct TranscriptTests {
  private static let url = "notes://note/7?tab=edit"

  @Test func direct() async throws {
    try await compare("direct", "The user starts the application.", .direct) { play in
      try await play.untilItRuns()
    }
  }

  @Test func `Rule 2: cold`() async throws {
    try await compare(
      "url-cold", "A URL starts the application, with an annotation and an identified source (`unit`).",
      .awaited
    ) { play in
      try await play.deliver(
        Play.envelope(Self.url) {
          $0.sourceApplication = "org.example.Mail"
          $0.assurance = .unit
          $0.annotation = ["page": 7]
          $0.delivery = .launch
        })
    }
  }

  @Test func `Rule 2: warm`() async throws {
    try await compare(
      "url-warm", "A URL arrives while the application runs; its source is only claimed.", .direct
    ) { play in
      try await play.untilItRuns()
      try await play.deliver(
        Play.envelope(Self.url) {
          $0.sourceApplication = "org.example.Mail"
          $0.assurance = .claimed
        })
    }
  }

  @Test func urlByArguments() async throws {
    try await compare(
      "url-by-arguments", "A file manager starts the application with a URL as an argument.",
      .arguments([Self.url])
    ) { play in
      try await play.transcript.until(
        play.profile == .plain
          ? "handler" : play.profile == .scenes ? "sceneDidBecomeActive" : "applicationDidBecomeActive")
    }
  }

  @Test func severalURLs() async throws {
    try await compare(
      "several-urls", "A request has three URLs, and a second one two; the URLs stay in order.", .awaited
    ) { play in
      try await play.deliver(Play.envelope("notes://note/1", "notes://note/2", "notes://note/3"))
      try await play.deliver(Play.envelope("notes://note/4", "notes://note/5"))
    }
  }

  @Test func action() async throws {
    try await compare(
      "action",
      "The desktop starts the application with an action of its entry, and requests another action while it runs.",
      .awaited
    ) { play in
      try await play.activate("new-note", nil)
      try await play.activate("search", "milk")
    }
  }

  @Test func notification() async throws {
    try await compare(
      "notification",
      "The user clicks a notification, which starts the application; then a notification without an alert arrives, and the response to a third one.",
      .awaited
    ) { play in
      func notify(_ reason: LaunchReason, _ payload: PropertyList) async throws {
        try await play.deliver(
          Play.envelope {
            $0.reason = reason
            $0.payload = payload
          })
      }
      try await notify(
        .remoteNotification, ["aps": ["alert": ["body": "Milk is due"]], "action-identifier": "default"])
      try await notify(.remoteNotification, ["aps": ["content-available": 1], "note": 7])
      try await notify(.localNotification, ["alert": "Time to go", "action-identifier": "snooze"])
    }
  }

  @Test func scheduledNotification() async throws {
    try await compare(
      "scheduled-notification",
      "The user clicks a scheduled notification, which starts the application; the next one is due while the application is in "
        + "the foreground.",
      .awaited
    ) { play in
      let request = NotificationRequest(identifier: "milk", content: NotificationContent(body: "Milk is due"))
      for action in ["default", nil] {
        try await play.deliver(
          Play.envelope {
            $0.reason = .localNotification
            $0.payload = request.payload(
              date: WallTime(milliseconds: 0), response: action.map { NotificationReaction(action: $0) })
          })
      }
    }
  }

  @Test func silentNotificationCold() async throws {
    try await compare(
      "notification-cold",
      "A remote notification on which the user did not act starts the application; `willFinishLaunching` returns false, which has no effect.",
      .awaited,
      Behaviour(willFinish: false)
    ) { play in
      try await play.deliver(
        Play.envelope {
          $0.reason = .remoteNotification
          $0.payload = ["aps": ["alert": "News"]]
        })
    }
  }

  @Test func silentNotifications() async throws {
    try await compare(
      "remote-notification-cold",
      "A message for the background starts the program; while it is there, an alert is for the user alone, until a tap.",
      .awaited
    ) { play in
      for payload in [
        ["aps": ["content-available": 1], "note": 7], ["aps": ["alert": "News"]],
        ["aps": ["alert": "News"], "action-identifier": "default"],
      ] as [PropertyList] {
        try await play.deliver(
          Play.envelope {
            $0.reason = .remoteNotification
            $0.payload = payload
          })
      }
    }
  }

  private static func token(_ number: Int) -> RemoteNotificationToken {
    RemoteNotificationToken(
      endpoint: "https://push.example.org/\(number)", publicKey: [4, 1], authenticationSecret: [2])
  }

  @Test func registration() async throws {
    let behaviour = Behaviour(registering: { key throws(SceneError) in
      guard key == "key" else { throw .notRegistered("there is no push distributor") }
      return Self.token(1)
    })
    try await compare(
      "registration",
      "A registration for remote notifications fails, and the next one succeeds; then the distributor replaces the token, and ends "
        + "the registration.", .direct, behaviour, .delegate, .scenes
    ) { play in
      let (success, failure) = (
        "application(_:didRegisterForRemoteNotifications",
        "application(_:didFailToRegisterForRemoteNotifications"
      )
      try await play.untilItRuns()
      let application = try await play.application
      // Its registration is not the application's business before it registers.
      try await play.replaceToken(with: Self.token(3))
      application.registerForRemoteNotifications()
      application.registerForRemoteNotifications(vapid: "key")
      try await play.transcript.until(failure)
      try await play.transcript.until(success)
      #expect(application.isRegisteredForRemoteNotifications)
      // The server of the application would send its messages to another program.
      try await play.forgeToken(Self.token(4))
      try await play.replaceToken(with: Self.token(2))
      try await play.transcript.until(success, times: 2)
      // The same token is not reported again.
      try await play.replaceToken(with: Self.token(2))
      try await play.replaceToken(with: nil)
      try await play.transcript.until(failure, times: 2)
      #expect(!application.isRegisteredForRemoteNotifications)
      application.registerForRemoteNotifications(vapid: "key")
      try await play.transcript.until(success, times: 3)
      application.unregisterForRemoteNotifications()
      await application.untilRegistered()
      #expect(!application.isRegisteredForRemoteNotifications)
    }
  }

  @Test func `The end of an earlier registration does not end the one that followed`() async throws {
    try await Stage.withStage { stage in
      let registrar = try await Registrar.start(on: stage, isRegistered: true) { _ throws(SceneError) in
        Self.token(1)
      }
      var play = try await Play.begin(.delegate, .direct, on: stage)
      play.registrar = registrar
      let application = try await play.application
      application.registerForRemoteNotifications()
      try await play.transcript.until("application(_:didRegisterForRemoteNotifications")
      try await play.replaceToken(with: nil)
      // A token that is reported after the end shows that the end was read.
      try await play.replaceToken(with: Self.token(2))
      try await play.transcript.until("application(_:didRegisterForRemoteNotifications", times: 2)
      #expect(application.isRegisteredForRemoteNotifications)
      let lines = try await play.end()
      #expect(!lines.contains { $0.contains("didFailToRegister") }, "\(lines)")
      await registrar.bus.close()
    }
  }

  @Test func `A registration without an answer does not delay the end, and is not reported`() async throws {
    let (calls, gate) = (Log(), Gate())
    let behaviour = Behaviour(registering: { _ throws(SceneError) in
      calls.add("register")
      await gate.pass()
      throw .notRegistered("too late")
    })
    try await Stage.withStage { stage in
      let play = try await Play.begin(.delegate, .direct, on: stage, behaviour)
      try await play.application.registerForRemoteNotifications()
      #expect(try await calls.next() == "register")
      let lines = try await play.end()
      await gate.open()
      #expect(lines.last == "applicationWillTerminate(_:)" && !lines.contains { $0.contains("Register") })
    }
  }

  @Test func deliveredNotifications() async throws {
    try await Stage.withStage { stage in
      let registrar = try await Registrar.start(on: stage) { _ throws(SceneError) in
        throw .notRegistered("no")
      }
      let play = try await Play.begin(.delegate, .direct, on: stage)
      let delivered = try await play.application.notifications.deliveredNotifications()
      #expect(delivered.map(\.isRemote) == [true, false])
      #expect(delivered.map(\.identifier) == ["push-1", "milk"])
      #expect(delivered.map(\.title) == ["Mail", "Milk"])
      #expect(delivered.map(\.date?.timeIntervalSince1970) == [2, 1])
      #expect(delivered.first?.userInfo["note"] == 7)
      _ = try await play.end()
      await registrar.bus.close()
    }
  }

  @Test func remoteNotifications() async throws {
    try await compare(
      "remote-notification",
      "In the foreground: an alert; one with a part for the background, and that part; a badge; a message without both. In the "
        + "background: an alert, and a message without one.",
      .direct
    ) { play in
      func push(_ payload: PropertyList) async throws {
        try await play.deliver(
          Play.envelope {
            $0.reason = .remoteNotification
            $0.payload = payload
          })
      }
      try await play.untilItRuns()
      try await push(["aps": ["alert": "News"]])
      try await push(["aps": ["alert": "Mail", "content-available": 0]])
      try await push(["aps": ["alert": "Mail", "content-available": 1]])
      try await push(["aps": ["badge": 3]])
      try await push(["note": 7])
      guard play.profile != .plain else { return }
      let application = try await play.application
      if let scene = application.connectedScenes.first {
        await application.setActivationState(.background, of: scene)
      } else {
        await application.setActivationState(.background)
      }
      try await push(["aps": ["alert": "News"]])
      try await push(["note": 7])
    }
  }

  @Test func `Rule 3: refused at launch`() async throws {
    try await compare(
      "refused-at-launch",
      "`didFinishLaunching` returns false for the first URL; the second URL is delivered.",
      .awaited, Behaviour(didFinish: false), .delegate
    ) { play in
      try await play.deliver(Play.envelope(Self.url))
      try await play.deliver(Play.envelope(Self.url))
    }
  }

  @Test func handoff() async throws {
    try await compare(
      "user-activity",
      "An activity continues: first its type arrives, then the activity; the next activity fails.",
      .awaited
    ) { play in
      for payload: PropertyList in [
        ["type": "org.example.editing", "handoff": true],
        ["type": "org.example.editing", "user-info": ["note": 7]],
        ["type": "org.example.reading", "handoff": true],
        ["type": "org.example.reading", "error": "the other device has gone"],
      ] {
        try await play.deliver(
          Play.envelope {
            $0.reason = .userActivity
            $0.payload = payload
          })
      }
    }
  }

  @Test func handedOffPage() async throws {
    try await compare(
      "handed-off-page",
      "The user sends a web page from another device, which starts the application; then another page, and a document with an annotation.",
      .awaited
    ) { play in
      for page in ["https://pages.example.com/1", "https://pages.example.com/2"] {
        try await play.deliver(
          Play.envelope(page) {
            $0.sourceApplication = "org.kde.kdeconnect.daemon"
            $0.assurance = .unit
            $0.reason = .userActivity
            $0.payload = ["type": .string(UserActivity.browsingWeb), "webpage-url": .string(page)]
          })
      }
      try await play.deliver(
        Play.envelope("file:///home/user/Downloads/letter.txt") {
          $0.sourceApplication = "org.example.ReceivedFiles"
          $0.assurance = .unit
          $0.annotation = ["device": "telephone"]
        })
    }
  }

  @Test func otherReasons() async throws {
    try await compare(
      "other-reasons",
      "The reasons location, Bluetooth, downloads, an invitation, and one that `Scenes` does not know.",
      .awaited
    ) { play in
      for (reason, payload): (LaunchReason, PropertyList?) in [
        (.location, ["latitude": 52.5]), (.bluetoothCentrals, ["heart-rate"]),
        (.bluetoothPeripherals, ["beacon"]), (.newsstandDownloads, ["issue-7"]),
        (.cloudKitShare, ["share": "s1"]), (LaunchReason(rawValue: "of-tomorrow"), nil),
      ] {
        try await play.deliver(
          Play.envelope {
            $0.reason = reason
            $0.payload = payload
          })
      }
    }
  }

  @Test func bluetooth() async throws {
    try await compare(
      "bluetooth",
      "A device comes into range, which starts the application; it creates its central manager. Then the device connects and disconnects, and "
        + "an event of another central arrives.",
      .awaited, Behaviour(centralIdentifier: "belt")
    ) { play in
      let service = try #require(BluetoothUUID("180d"))
      let address = try #require(BluetoothAddress("00:1A:7D:DA:71:13"))
      let device = BluetoothDevice(address: address, name: "Belt", services: [service])
      let central = BluetoothCentral(identifier: "belt", devices: [address], services: [service])
      let other = BluetoothCentral(identifier: "other", devices: [address])
      for event in [
        BluetoothEvent(.discovered, device, for: central), BluetoothEvent(.connected, device, for: central),
        BluetoothEvent(.disconnected, device, for: central), BluetoothEvent(.connected, device, for: other),
      ] {
        try await play.deliver(
          Play.envelope {
            $0.reason = .bluetoothCentrals
            $0.payload = event.payload(date: WallTime(milliseconds: 0))
          })
      }
    }
  }

  @Test func bluetoothPeripheral() async throws {
    try await compare(
      "bluetooth-peripheral",
      "A device writes a value, which starts the application; it creates its peripheral manager. Then a device subscribes, reads a value "
        + "that is not stored, and ends its subscription, and an event of another peripheral arrives.",
      .awaited, Behaviour(peripheralIdentifier: "lamp")
    ) { play in
      let service = try #require(BluetoothUUID("1815"))
      let id = BluetoothCharacteristicID(
        service: service, characteristic: try #require(BluetoothUUID("2a56")))
      let lamp = BluetoothPeripheral(identifier: "lamp", services: [BluetoothService(service)])
      let other = BluetoothPeripheral(identifier: "other", services: [BluetoothService(service)])
      for (kind, peripheral) in [
        (BluetoothPeripheralEvent.Kind.write([1, 2], offset: 0), lamp), (.subscribed, lamp), (.read, lamp),
        (.unsubscribed, lamp), (.write([3], offset: 0), other),
      ] {
        let event = BluetoothPeripheralEvent(kind, of: id, for: peripheral)
        try await play.deliver(
          Play.envelope {
            $0.reason = .bluetoothPeripherals
            $0.payload = event.payload(date: WallTime(milliseconds: 0))
          })
      }
    }
  }

  @Test func location() async throws {
    try await compare(
      "location",
      "A region that is entered starts the application, which creates its location manager; then it leaves the region and moves.",
      .awaited, Behaviour(monitorsLocation: true)
    ) { play in
      let center = try #require(Coordinate(latitude: 48.25, longitude: 11.5))
      let region = CircularRegion(identifier: "home", center: center, radius: 200)
      let time = WallTime(milliseconds: 0)
      let location = try #require(Location(coordinate: center, horizontalAccuracy: 20, date: time))
      for event in [LocationEvent.entered(region), .exited(region), .moved(location)] {
        try await play.deliver(
          Play.envelope {
            $0.reason = .location
            $0.payload = event.payload(date: time)
          })
      }
    }
  }

  @Test func downloadCold() async throws {
    try await compare(
      "download-cold",
      "A download that has arrived starts the application; another one fails, and one is cancelled by the user.",
      .awaited
    ) { play in
      let failure = DownloadFailure(.rejected, "the server does not have the file")
      for outcome in [DownloadOutcome.completed(size: 7), .failed(failure), .cancelled] {
        try await play.deliver(Self.finished(outcome))
      }
    }
  }

  @Test func download() async throws {
    try await compare(
      "download",
      "A download arrives in the foreground, another one in the background, where it changes nothing.",
      .direct, Behaviour(), .delegate, .scenes
    ) { play in
      try await play.untilItRuns()
      try await play.deliver(Self.finished(.completed(size: 7)))
      let application = try await play.application
      if let scene = application.connectedScenes.first {
        await application.setActivationState(.background, of: scene)
      } else {
        await application.setActivationState(.background)
      }
      try await play.deliver(Self.finished(.completed(size: 7)))
    }
  }

  private static func finished(_ outcome: DownloadOutcome) throws -> Envelope {
    let url = try #require(DownloadURL("https://example.org/map.zip"))
    var request = DownloadRequest(identifier: "map", url: url)
    request.session = "maps"
    request.file = "/data/map.zip"
    return Play.envelope {
      $0.reason = .newsstandDownloads
      $0.payload = outcome.payload(of: request, date: WallTime(milliseconds: 0))
    }
  }

  @Test func fromTheBackground() async throws {
    try await compare(
      "background",
      "A URL arrives while the application is in the background; the application enters the foreground first.",
      .direct, Behaviour(), .delegate, .scenes
    ) { play in
      try await play.untilItRuns()
      let application = try await play.application
      if let scene = application.connectedScenes.first {
        await application.setActivationState(.background, of: scene)
      } else {
        await application.setActivationState(.background)
      }
      try await play.deliver(Play.envelope(Self.url))
    }
  }

  @Test func `Rule 2: warm, without the previous scene`() async throws {
    try await compare(
      "scene-lost", "A URL arrives after the scene was disconnected; its session is connected again.",
      .direct,
      Behaviour(), .scenes
    ) { play in
      try await play.untilItRuns()
      try await play.deliver(Play.envelope("notes://me@note/7?token=secret"))
      let application = try await play.application
      for scene in application.connectedScenes { application.requestSceneDisconnection(scene) }
      try await play.transcript.until("sceneDidDisconnect")
      try await play.deliver(Play.envelope(Self.url))
    }
  }

  @Test func `Rule 8: two scenes`() async throws {
    let behaviour = Behaviour(
      conditions: [
        SceneActivationConditions(prefersToActivate: .beginsWith("notes://note/7")),
        SceneActivationConditions(prefersToActivate: .beginsWith("notes://note/8")),
      ],
      opens: { scene, url in url.hasSuffix("nobody") ? .notHandled : .handled([scene.title: .string(url)]) })
    try await compare(
      "two-scenes", "Two scenes each prefer a note; a request that one scene declines goes to the other.",
      .direct,
      behaviour, .scenes
    ) { play in
      try await play.untilItRuns()
      let application = try await play.application
      application.requestSceneSessionActivation()
      try await play.transcript.until("sceneDidBecomeActive", times: 2)
      try await play.deliver(Play.envelope("notes://note/7"))
      try await play.deliver(Play.envelope("notes://note/8"))
      try await play.deliver(Play.envelope("notes://note/8", "notes://note/7", "notes://note/8?tab=edit"))
      try await play.deliver(Play.envelope("notes://note/9"))
      try await play.deliver(Play.envelope("notes://nobody"))
      // A scene that is not visible and rejects the URL stays invisible.
      if let scene = application.connectedScenes.last {
        await application.setActivationState(.background, of: scene)
      }
      try await play.deliver(Play.envelope("notes://nobody"))
    }
  }

  @Test func quitWhileARequestComes() async throws {
    let (log, leave) = (Log(), Log())
    let behaviour = Behaviour(opens: { _, url in
      log.add(url)
      _ = try await leave.next()
      return .handled
    })
    try await compare(
      "quit",
      "The application is asked to exit while it handles a URL, and another one arrives; both are handled.",
      .direct,
      behaviour, .scenes
    ) { play in
      try await play.untilItRuns()
      let first = try await play.send("notes://note/1")
      #expect(try await log.next() == "notes://note/1")
      play.cancel()
      let second = try await play.send("notes://note/2")
      leave.add("the first")
      #expect(try await log.next() == "notes://note/2")
      leave.add("the second")
      // The application may already be terminating when the callers get their replies, so that these are not part of the text.
      for reply in [first, second] { #expect(try await reply.value) }
    }
  }

  /// Compares the calls with `Golden/NAME.txt`: on a real bus, and with an application without a bus.
  private func compare(
    _ name: String, _ title: String, _ start: Play.Start, _ behaviour: Behaviour = Behaviour(),
    _ profiles: Play.Profile..., body: @Sendable (Play) async throws -> Void
  ) async throws {
    let (profiles, body) = (profiles.isEmpty ? Play.Profile.allCases : profiles, body)
    var (text, rehearsed) = (title + "\n", title + "\n")
    for profile in profiles {
      let lines = Lines()
      try await Stage.withStage { stage in
        let play = try await Play.begin(profile, start, on: stage, behaviour)
        try await body(play)
        await lines.set(try await play.end())
      }
      text += Self.section(profile, await lines.lines)
    }
    for profile in profiles {
      let play = try await Play.rehearse(profile, start, behaviour)
      try await body(play)
      rehearsed += Self.section(profile, try await play.end())
    }
    let path = BuiltProducts.repository + "/Tests/ScenesTests/Golden/\(name).txt"
    if ProcessInfo.processInfo.environment["USHER_WRITE_TRANSCRIPTS"] != nil {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let golden = try String(contentsOfFile: path, encoding: .utf8)
    #expect(golden == text)
    #expect(golden == rehearsed, "without a bus")
  }

  private static func section(_ profile: Play.Profile, _ lines: [String]) -> String {
    "\n\(profile.rawValue):\n" + lines.map { "  \($0)\n" }.joined()
  }
}

private actor Lines {
  private(set) var lines: [String] = []
  func set(_ lines: [String]) { self.lines = lines }
}
