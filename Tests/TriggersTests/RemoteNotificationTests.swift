// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

@testable import Triggers

@Suite struct `A push message's content` {
  private func read(_ text: String) -> RemoteNotification { RemoteNotification(message: Array(text.utf8)) }

  @Test func `is shown as aps says, and delivered as it was sent`() throws {
    let text = """
      {"aps":{"alert":{"title":"T","subtitle":"S","body":"a\\nb"},"badge":3,"sound":"default","category":"c",
       "thread-id":"t","target-content-id":"n"},"note":7,"list":[1.5,true]}
      """
    let push = read(text)
    let sent = try PropertyList(json: text)
    #expect(push.payload == sent && !push.isForBackground)
    var content = NotificationContent(
      title: "T", subtitle: "S", body: "a\nb", badge: 3, sound: "default", threadIdentifier: "t",
      categoryIdentifier: "c", targetContentID: "n")
    #expect(push.content == content)
    content = NotificationContent(body: "Text")
    #expect(read(#"{"aps":{"alert":"Text"}}"#).content == content)
    #expect(read(#"{"aps":{"alert":{"subtitle":"S"}}}"#).content == NotificationContent(title: "S"))
    #expect(read(#"{"aps":{"badge":0}}"#).content == NotificationContent(badge: 0))
  }

  @Test(arguments: [
    ("default", "default"), ("message-new-instant", "message-new-instant"), ("bingbong.aiff", "default"),
    ("../x", "default"),
  ])
  func `has a sound of the desktop`(_ sent: String, _ played: String) {
    #expect(read(#"{"aps":{"alert":"A","sound":"\#(sent)"}}"#).content?.sound == played)
    #expect(
      read(#"{"aps":{"alert":"A","sound":{"critical":1,"name":"\#(sent)","volume":1.0}}}"#).content?.sound
        == played)
  }

  @Test func `is for the background with content-available, or with nothing to show`() {
    #expect(read(#"{"aps":{"alert":"A","content-available":1}}"#).isForBackground)
    #expect(read(#"{"aps":{"content-available":1},"a":1}"#).isForBackground)
    #expect(!read(#"{"aps":{"alert":"A","content-available":0}}"#).isForBackground)
    for silent in ["{}", "{\"a\":1}", "{\"aps\":{}}", "{\"aps\":7}", "{\"aps\":{\"sound\":\"default\"}}"] {
      #expect(read(silent).isForBackground && read(silent).content == nil, "\(silent)")
    }
  }

  @Test func `can be stored within another value, at every depth`() throws {
    for depth in 13...16 {
      let open = String(repeating: "[", count: depth), close = String(repeating: "]", count: depth)
      let text = #"{"aps":{"alert":"x"},"a":\#(open)1\#(close)}"#
      let push = read(text)
      let stored = PropertyList.dictionary(["payload": push.payload]).json
      #expect(try PropertyList(json: stored)["payload"] == push.payload)
      #expect(push.isForBackground == (depth > 14), "\(depth)")
    }
  }

  @Test func `is a text to show if it is no JSON object, and data if it cannot be read`() {
    for text in ["Hello", "[1]", "7", "\"a\"", "a {", "null"] {
      let push = read(text)
      #expect(push.content == NotificationContent(body: text) && !push.isForBackground, "\(text)")
      #expect(push.payload == ["aps": ["alert": ["body": .string(text)]]])
    }
    for empty in ["", " \n", "\u{7}"] {
      #expect(read(empty).content == nil && read(empty).payload == [:] && read(empty).isForBackground)
    }
    for bytes in [[0xFF, 0], Array(#" {"a":1"#.utf8), Array(#"{"aps":{"alert":"A","sound":null}}"#.utf8)] {
      let push = RemoteNotification(message: bytes)
      #expect(push.payload == ["message": .data(bytes)] && push.content == nil && push.isForBackground)
    }
  }

  @Test func `never claims what the user did, and cannot break what is shown`() throws {
    let push = read(
      #"{"aps":{"alert":"A"},"action-identifier":"default","user-text":"x","identifier":"mine"}"#)
    #expect(push.payload == ["aps": ["alert": "A"], "identifier": "mine"])
    let long = String(repeating: "ä", count: 1_500)
    for text in ["a\u{1B}[31mb\u{0}", long] {
      let shown = try #require(RemoteNotification(message: Array(text.utf8)).content?.body)
      #expect(shown.utf8.count <= NotificationLimits.text)
      #expect(shown.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
    // Values of wrong types count as absent.
    let odd = read(#"{"aps":{"alert":["A"],"badge":-1,"sound":7,"category":"","thread-id":"a\u0001"}}"#)
    #expect(odd.content == nil)
    #expect(read(#"{"aps":{"alert":"A","badge":4294967296,"category":7}}"#).content?.badge == nil)
  }

  @Test func `may have nulls at the outermost level, which are left out`() {
    #expect(read(#"{"aps":{"alert":"A"},"b":null}"#).payload == ["aps": ["alert": "A"]])
  }

  @Test func `is stored with what was sent, which no caller can claim`() throws {
    let push = read(#"{"aps":{"alert":"A","content-available":1},"n":1}"#)
    let request = NotificationRequest(
      identifier: "push-1", content: try #require(push.content), remotePayload: push.payload)
    let stored = try NotificationRequest(stored: PropertyList(json: request.propertyList.json))
    #expect(stored == request && stored.reason == .remoteNotification)
    #expect(try NotificationRequest(request.propertyList).reason == .localNotification)
    let date = WallTime(milliseconds: 5)
    // The application is asked how to show it, and not to fetch anything.
    #expect(request.payload(date: date) == ["aps": ["alert": "A", "content-available": 0], "n": 1])
    #expect(
      request.payload(date: date, response: NotificationReaction(action: "reply", text: "Yes")) == [
        "aps": ["alert": "A", "content-available": 1], "n": 1, "action-identifier": "reply",
        "user-text": "Yes",
      ])
    // Only a message for the background has the key, whatever its server has sent.
    for flag: PropertyList in [0, 2, "1"] {
      let sent: PropertyList = ["aps": ["alert": "A", "content-available": flag]]
      let alone = NotificationRequest(
        identifier: "push-2", content: NotificationContent(body: "A"), remotePayload: sent)
      #expect(alone.payload(date: date) == ["aps": ["alert": "A"]])
    }
  }
}

@Suite struct `Starts in the background` {
  private func time(_ seconds: Int64) -> WallTime { WallTime(seconds: seconds) }

  @Test func `are limited within an hour`() {
    var starts = BackgroundStarts()
    for second in 0..<20 {
      #expect(starts.delay(at: time(Int64(second))) == 0)
      starts.record(at: time(Int64(second)))
    }
    #expect(starts.delay(at: time(20)) == 3_580_000)
    #expect(starts.delay(at: time(3_599)) == 1_000)
    #expect(starts.delay(at: time(3_600)) == 0)
    starts.record(at: time(3_600))
    #expect(starts.delay(at: time(3_600)) == 1_000)
  }

  @Test func `of an earlier daemon count, and those of a wrong clock do not`() {
    let earlier = (0..<20).map { WallTime(seconds: Int64(100 - $0)) }
    #expect(BackgroundStarts(earlier).delay(at: time(100)) == 3_581_000)
    #expect(BackgroundStarts(earlier).delay(at: time(50)) == 0)
  }
}

@Suite struct `A token` {
  @Test func `is the PushSubscription of the W3C Push API`() throws {
    let token = RemoteNotificationToken(
      endpoint: "https://push.example/a?b", publicKey: [4, 0xFB, 0xFF], authenticationSecret: [0, 1])
    #expect(
      token.json == #"{"endpoint":"https://push.example/a?b","keys":{"auth":"AAE","p256dh":"BPv_"}}"#)
    #expect(try RemoteNotificationToken(token.entries) == token)
    #expect(throws: MessageError(.missing, at: "auth")) {
      try RemoteNotificationToken(["endpoint": "https://e", "public-key": .bytes([4])])
    }
    #expect(RemoteNotificationToken.base64URL([0x14, 0xFB, 0x9C, 0x03, 0xD9]) == "FPucA9k")
  }
}
