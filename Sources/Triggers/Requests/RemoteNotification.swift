// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
import DBus

/// A decrypted push message: what the application receives, and what is shown to the user.
///
/// A JSON object is read like a payload of Apple's push service, with what is shown under `aps`. Any other text is shown.
public struct RemoteNotification: Hashable, Sendable {
  /// The payload that the application receives.
  ///
  /// It is the object that the server has sent; `{aps: {alert: {body}}}` for another text; `{message ay}` for bytes that are not a
  /// text, and for an object that cannot be read.
  public var payload: PropertyList
  /// The content that is shown to the user, or sets the number on the icon; `nil` for nothing.
  public var content: NotificationContent?
  /// A Boolean value that is `true` if the application is started in the background, to fetch content.
  ///
  /// That is the case with `content-available`, and for a message with nothing to show.
  public var isForBackground: Bool

  /// Reads a decrypted message, which is never rejected.
  public init(message: [UInt8]) {
    guard let text = String(validating: message, as: UTF8.self) else {
      self.init(background: ["message": .data(message)])
      return
    }
    guard let entries = Self.object(text) else {
      // An object may contain what is not meant for the user.
      guard text.first(where: { !$0.isWhitespace }) != "{" else {
        self.init(background: ["message": .data(message)])
        return
      }
      let shown = Self.shown(text)
      guard !shown.isEmpty else {
        self.init(background: [:])
        return
      }
      self.init(
        payload: ["aps": ["alert": ["body": .string(shown)]]], content: NotificationContent(body: shown),
        isForBackground: false)
      return
    }
    self.init(payload: .dictionary(entries))
  }

  /// Reads a payload, as an application receives it.
  package init(payload: PropertyList) {
    let fields = payload["aps"]?.dictionary ?? [:]
    let content = NotificationContent(aps: fields)
    let flag = fields["content-available"]
    self.init(
      payload: payload, content: content,
      isForBackground: content == nil || flag?.integer == 1 || flag?.boolean == true)
  }

  private init(background entries: [String: PropertyList]) {
    self.init(payload: .dictionary(entries), content: nil, isForBackground: true)
  }

  private init(payload: PropertyList, content: NotificationContent?, isForBackground: Bool) {
    self.payload = payload
    self.content = content
    self.isForBackground = isForBackground
  }

  /// Returns the entries of a JSON object; `nil` for another text.
  ///
  /// The entries with which Usher reports what the user did are left out, because the server cannot know it. An object with the maximum
  /// depth cannot be read, because it is stored as a part of another.
  private static func object(_ text: String) -> [String: PropertyList]? {
    guard let value = try? [String: Variant](json: text, leavingOutNulls: true),
      let list = try? PropertyList(.dictionary(value)), var entries = list.dictionary,
      (try? PropertyList.dictionary(["payload": list]).validate()) != nil
    else { return nil }
    entries["action-identifier"] = nil
    entries["user-text"] = nil
    return entries
  }

  /// Returns a text as it is shown: without control characters, and at most as long as a text of a notification.
  fileprivate static func shown(_ text: String, lines: Bool = true) -> String {
    var (shown, length) = ("", 0)
    for scalar in text.unicodeScalars {
      let isBreak = scalar == "\n" || scalar == "\t"
      guard scalar.properties.generalCategory != .control || isBreak && lines else { continue }
      length += String(scalar).utf8.count
      guard length <= NotificationLimits.text else { break }
      shown.unicodeScalars.append(scalar)
    }
    return shown.allSatisfy(\.isWhitespace) ? "" : shown
  }
}

extension NotificationContent {
  /// Reads the dictionary `aps`; `nil` if it has neither an alert nor a badge.
  ///
  /// Values of a wrong type count as absent.
  fileprivate init?(aps: [String: PropertyList]) {
    func text(_ value: PropertyList?, lines: Bool = false) -> String? {
      let text = RemoteNotification.shown(value?.string ?? "", lines: lines)
      return text.isEmpty ? nil : text
    }
    func identifier(_ key: String) -> String? {
      guard let text = aps[key]?.string, !text.isEmpty, text.utf8.count <= NotificationLimits.identifier,
        text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
      else { return nil }
      return text
    }
    let alert = aps["alert"]
    var title = text(alert?["title"])
    var subtitle = text(alert?["subtitle"])
    let body = text(alert?["body"], lines: true) ?? text(alert, lines: true)
    if title == nil, body == nil { (title, subtitle) = (subtitle, nil) }
    let badge = aps["badge"]?.integer.flatMap(UInt32.init(exactly:))
    guard title != nil || body != nil || badge != nil else { return nil }
    let sound = identifier("sound") ?? aps["sound"]?["name"]?.string
    self.init(
      title: title, subtitle: subtitle, body: body, badge: badge,
      sound: sound.map(Self.sound), threadIdentifier: identifier("thread-id"),
      categoryIdentifier: identifier("category"),
      targetContentID: text(aps["target-content-id"]))
  }

  /// Returns a name of the sound theme: the default one for a file of the application, which the desktop does not have.
  private static func sound(_ name: String) -> String {
    let isOfTheme =
      !name.isEmpty && name.utf8.count <= NotificationLimits.identifier
      && name.utf8.allSatisfy {
        $0.isASCIIAlphanumeric || "-_".utf8.contains($0)
      }
    return isOfTheme ? name : "default"
  }
}
