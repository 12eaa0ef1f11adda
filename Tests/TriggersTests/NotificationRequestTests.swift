// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing
@testable import Triggers

@Suite struct `A notification request` {
  static let content: PropertyList = [
    "title": "Milk", "subtitle": "Shopping", "body": "Two\nlitres", "badge": 3, "sound": "default",
    "user-info": ["note": 7, "raw": .data([1, 2])], "thread-identifier": "lists",
    "category-identifier": "note",
    "target-content-id": "note-7",
  ]

  static func region(radius: Double = 200, entry: Bool = false, exit: Bool = true) -> PropertyList {
    [
      "identifier": "shop", "latitude": 48.137, "longitude": 11.575, "radius": .real(radius),
      "notify-on-entry": .boolean(entry), "notify-on-exit": .boolean(exit),
    ]
  }

  @Test(
    arguments: [
      ["kind": "interval", "interval": 90.5, "repeats": true],
      ["kind": "date", "date": 1_900_000_000_000],
      ["kind": "calendar", "hour": 9, "weekday": 2, "time-zone": "Europe/Berlin", "repeats": true],
      ["kind": "region", "region": Self.region(), "repeats": true],
    ] as [PropertyList])
  func `A request keeps all its values`(trigger: PropertyList) throws {
    let text: PropertyList = ["identifier": "a", "content": Self.content, "trigger": trigger]
    let request = try NotificationRequest(text)
    #expect(request.propertyList == text)
    #expect(try NotificationRequest(PropertyList(json: request.propertyList.json)) == request)
    #expect(try NotificationRequest(request.entries) == request)
  }

  @Test(
    arguments: [
      ("identifier", ["content": ["title": "a"]]),
      ("identifier", ["identifier": "", "content": ["title": "a"]]),
      ("identifier", ["identifier": "a\u{7}", "content": ["title": "a"]]),
      ("content", ["identifier": "a"]),
      ("content.title", ["identifier": "a", "content": ["subtitle": "a"]]),
      ("content.title", ["identifier": "a", "content": ["title": 3]]),
      ("content.title", ["identifier": "a", "content": ["title": "a\u{1b}[2J"]]),
      ("content.badge", ["identifier": "a", "content": ["badge": -1]]),
      ("trigger.kind", ["identifier": "a", "content": ["title": "a"], "trigger": ["hour": 1]]),
      ("trigger.kind", ["identifier": "a", "content": ["title": "a"], "trigger": ["kind": "moon"]]),
      (
        "trigger.interval",
        ["identifier": "a", "content": ["title": "a"], "trigger": ["kind": "interval", "interval": 0]]
      ),
      (
        "trigger.interval",
        [
          "identifier": "a", "content": ["title": "a"],
          "trigger": ["kind": "interval", "interval": 9, "repeats": true],
        ]
      ),
      (
        "trigger.interval",
        ["identifier": "a", "content": ["title": "a"], "trigger": ["kind": "interval", "interval": 1e300]]
      ),
      (
        "trigger.date",
        ["identifier": "a", "content": ["title": "a"], "trigger": ["kind": "date", "date": -5]]
      ),
      ("trigger.hour", ["identifier": "a", "content": ["title": "a"], "trigger": ["kind": "calendar"]]),
      (
        "trigger.hour",
        ["identifier": "a", "content": ["title": "a"], "trigger": ["kind": "calendar", "hour": 24]]
      ),
      ("trigger.region", ["identifier": "a", "content": ["title": "a"], "trigger": ["kind": "region"]]),
      (
        "trigger.region.radius",
        [
          "identifier": "a", "content": ["title": "a"],
          "trigger": ["kind": "region", "region": Self.region(radius: 0)],
        ]
      ),
      // It would never be due.
      (
        "trigger.region.notify-on-entry",
        [
          "identifier": "a", "content": ["title": "a"],
          "trigger": ["kind": "region", "region": Self.region(exit: false)],
        ]
      ),
    ] as [(String, PropertyList)])
  func `that is invalid is an error that names its key`(key: String, request: PropertyList) {
    let error = #expect(throws: MessageError.self) { try NotificationRequest(request) }
    #expect(error?.path == key)
  }

  @Test func `A request that is too large for an envelope is rejected`() {
    let data = PropertyList.data([UInt8](repeating: 1, count: 60_000))
    let error = #expect(throws: MessageError.self) {
      try NotificationRequest(["identifier": "a", "content": ["title": "a", "user-info": ["data": data]]])
    }
    guard case .tooLarge = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `The payload with a long answer of the user fits an envelope`() throws {
    let data = PropertyList.data([UInt8](repeating: 1, count: 44_000))
    let text = PropertyList.string(String(repeating: "x", count: 4_096))
    let request = try NotificationRequest([
      "identifier": "a",
      "content": ["title": text, "subtitle": text, "body": text, "user-info": ["data": data]],
    ])
    let response = NotificationReaction(action: "reply", text: String(repeating: "ü\0", count: 9_000))
    let payload = request.payload(date: WallTime(milliseconds: 5), response: response)
    try payload.validate()
    #expect(payload["user-text"]?.string?.utf8.count == 4_096)
    #expect(payload["action-identifier"] == "reply")
    #expect(payload["date"] == 5)
    #expect(payload["alert"]?["title"] == text)
  }

  @Test func `A category keeps all its values, and rejects reserved actions`() throws {
    let text: PropertyList = [
      "identifier": "note", "custom-dismiss-action": true,
      "actions": [
        ["identifier": "done", "title": "Done", "destructive": true],
        [
          "identifier": "reply", "title": "Reply", "text-input": true, "foreground": true, "placeholder": "…",
          "button-title": "Send",
        ],
      ],
    ]
    #expect(try NotificationCategory(text).propertyList == text)
    for identifier in ["default", "dismiss"] as [PropertyList] {
      #expect(throws: MessageError.self) {
        try NotificationCategory(["identifier": "a", "actions": [["identifier": identifier, "title": "a"]]])
      }
    }
  }
}
