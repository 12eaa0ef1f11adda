// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import FoundationEssentials
import Testing

@testable import Scenes

/// Tests of UIKit's fourteen keys, and of the conditions for the method of a launch reason.
@Suite struct LaunchOptionsTests {
  private func options(
    _ reason: LaunchReason = .url, _ payload: PropertyList? = nil,
    fill: (inout Envelope) -> Void = { _ in }
  ) -> LaunchOptions? {
    let request = Self.request(reason, payload, fill: fill)
    return LaunchOptions(request, RequestContent(request, .verified))
  }

  static func request(
    _ reason: LaunchReason, _ payload: PropertyList? = nil, fill: (inout Envelope) -> Void = { _ in }
  ) -> SceneRequest {
    var envelope = Envelope(requestID: "r", urls: reason == .url ? ["notes://note/7?a=%C3%A4"] : [])
    envelope.reason = reason
    envelope.payload = payload
    fill(&envelope)
    return SceneRequest(envelope)
  }

  @Test func `A launch without a reason has no options`() {
    #expect(options(.activate) == nil)
  }

  @Test func `A URL arrives with its source, annotation and attribution`() {
    let options = options(.url, ["event-attribution": ["campaign": "autumn"]]) {
      $0.sourceApplication = "org.example.Mail"
      $0.assurance = .sandbox
      $0.annotation = ["page": 7]
    }
    #expect(options?[.url] == URL(string: "notes://note/7?a=%C3%A4"))
    #expect(options?.urlString == "notes://note/7?a=%C3%A4")
    #expect(options?[.sourceApplication] == "org.example.Mail")
    #expect(options?[.annotation] == ["page": 7])
    #expect(options?[.eventAttribution] == ["campaign": "autumn"])
    #expect(options?[.remoteNotification] == nil)
    #expect(options?[.localNotification] == nil)
    #expect(options?[.location] == nil)
    #expect(options?[.shortcutItem] == nil)
    #expect(options?[.userActivityType] == nil)
    #expect(options?[.userActivityDictionary] == nil)
    #expect(options?[.cloudKitShareMetadata] == nil)
    #expect(options?[.bluetoothCentrals] == nil)
    #expect(options?[.bluetoothPeripherals] == nil)
    #expect(options?[.newsstandDownloads] == nil)
  }

  @Test func `A notification's alert is a text or has a body`() {
    let pushed = options(.remoteNotification, ["aps": ["alert": "Milk", "badge": 3, "sound": "bell"]])
    #expect(pushed?[.remoteNotification]?.body == "Milk")
    #expect(pushed?[.remoteNotification]?.badge == 3)
    #expect(pushed?[.remoteNotification]?.sound == "bell")
    #expect(pushed?[.url] == nil)
    let own = options(
      .localNotification, ["alert": ["title": "Shop", "body": "Milk"], "user-info": ["n": 1]])
    #expect(own?[.localNotification]?.body == "Milk")
    #expect(own?[.localNotification]?.title == "Shop")
    #expect(own?[.localNotification]?.userInfo == ["n": 1])
    #expect(own?[.remoteNotification] == nil)
  }

  /// A server could choose its identifier and its date.
  @Test func `A remote notification has the properties of aps, and its payload is the user information`() {
    let payload: PropertyList = [
      "aps": ["alert": "Milk", "thread-id": "t", "category": "c", "target-content-id": "n"],
      "identifier": "mine",
      "date": 7, "user-info": ["n": 1], "thread-identifier": "x", "category-identifier": "x",
      "target-content-id": "x", "action-identifier": "default", "user-text": "Yes",
    ]
    let pushed = options(.remoteNotification, payload)?[.remoteNotification]
    #expect(pushed?.identifier == nil && pushed?.date == nil)
    #expect(pushed?.threadIdentifier == "t" && pushed?.categoryIdentifier == "c")
    #expect(pushed?.targetContentIdentifier == "n")
    var entries = payload.dictionary ?? [:]
    entries["action-identifier"] = nil
    entries["user-text"] = nil
    #expect(pushed?.userInfo == entries)
    #expect(pushed?.payload == payload)
  }

  @Test func `The other reasons have the keys that UIKit names for them`() {
    #expect(options(.location)?[.location] == true)
    #expect(options(.bluetoothCentrals, ["heart"])?[.bluetoothCentrals] == ["heart"])
    #expect(options(.bluetoothPeripherals, ["beacon"])?[.bluetoothPeripherals] == ["beacon"])
    #expect(options(.newsstandDownloads, ["issue-7"])?[.newsstandDownloads] == ["issue-7"])
    #expect(options(.cloudKitShare, ["share": 1])?[.cloudKitShareMetadata] == ["share": 1])
    let item = options(.shortcutItem, ["type": "new", "title": "New note", "user-info": ["n": 1]])
    #expect(
      item?[.shortcutItem] == ShortcutItem(type: "new", localizedTitle: "New note", userInfo: ["n": 1]))
    let activity = options(.userActivity, ["type": "editing", "user-info": ["note": 7]])
    #expect(activity?[.userActivityType] == "editing")
    #expect(activity?[.userActivityDictionary]?["user-info"] == ["note": 7])
  }

  @Test func `A payload of another shape has no key, and no trap`() {
    for payload: PropertyList? in [nil, "text", 7, [], [:], ["type": 7], ["aps": "x"], ["alert": []]] {
      for reason: LaunchReason in [
        .shortcutItem, .userActivity, .remoteNotification, .localNotification, .bluetoothCentrals,
        .newsstandDownloads, .cloudKitShare, .location, LaunchReason(rawValue: "of-tomorrow"),
      ] {
        let options = options(reason, payload)
        #expect(options?[.url] == nil)
        #expect(options?[.userActivityType] == nil)
        #expect(options?[.remoteNotification]?.body == nil)
        #expect(options?[.bluetoothCentrals] ?? [] == [])
      }
    }
  }

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func
    `Rule 3: false from either method prevents the call for a link, an activity, an action and an invitation`(
      will: Bool, did: Bool
    )
  {
    let answers = Launch.Answers(willFinishLaunching: will, didFinishLaunching: did)
    func delivers(_ reason: LaunchReason, _ payload: PropertyList? = nil) -> Bool {
      Launch.delivers(RequestContent(Self.request(reason, payload), .all), of: reason, after: answers)
    }
    let both = will && did
    #expect(delivers(.url) == both)
    #expect(delivers(.shortcutItem, ["type": "new"]) == both)
    #expect(delivers(.userActivity, ["type": "editing"]) == both)
    // They cannot be read.
    #expect(delivers(.shortcutItem) == both)
    #expect(delivers(.userActivity) == both)
    #expect(delivers(.cloudKitShare, [:]) == both)
    for reason: LaunchReason in [.localNotification, .remoteNotification] {
      #expect(delivers(reason, ["aps": [:]]))
      #expect(delivers(reason, ["aps": [:], "action-identifier": "default"]))
    }
    for reason: LaunchReason in [.location, .bluetoothCentrals, .bluetoothPeripherals, .newsstandDownloads] {
      #expect(delivers(reason))
    }
  }

  @Test func `An undelivered request is not handled, except for a quick action handled at launch`() {
    func result(_ reason: LaunchReason, _ payload: PropertyList? = nil) -> SceneResult {
      Launch.resultWithoutDelivery(RequestContent(Self.request(reason, payload), .all))
    }
    #expect(result(.url) == .notHandled)
    #expect(result(.userActivity, ["type": "editing"]) == .notHandled)
    #expect(result(.shortcutItem, ["type": "new"]) == .handled)
  }

  @Test(
    arguments: [
      (SourceApplicationPolicy.all, Assurance.claimed, "org.example.Mail", "org.example.Mail"),
      (.verified, .claimed, "org.example.Mail", nil), (.verified, .unknown, "org.example.Mail", nil),
      (.verified, .executable, "com.other.Mail", "com.other.Mail"),
      (.sameVendor, .unit, "org.example.Mail", "org.example.Mail"),
      (.sameVendor, .unit, "com.other.Mail", nil), (.sameVendor, .claimed, "org.example.Mail", nil),
    ] as [(SourceApplicationPolicy, Assurance, String, String?)])
  func `Rule 6: UIKit's source application follows the policy`(
    policy: SourceApplicationPolicy, assurance: Assurance, source: String, expected: String?
  ) {
    let request = Self.request(.url) {
      $0.application = "org.example.Notes"
      $0.sourceApplication = source
      $0.assurance = assurance
    }
    #expect(OpenURLOptions(request, policy).sourceApplication == expected)
    #expect(request.sourceApplication == source)
  }
}
