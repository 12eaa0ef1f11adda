// SPDX-License-Identifier: Apache-2.0
import Freedesktop

extension SourceApplication {
  /// Returns the application that a unit of the user's service manager is named after; `nil` if there is none.
  ///
  /// The forms are `app[-LAUNCHER]-ID[@RANDOM].service`, `app[-LAUNCHER]-ID-RANDOM.scope` and `…-autostart.service`.
  /// The ID is escaped as systemd escapes, and a desktop entry with that ID must exist (systemd's DESKTOP_ENVIRONMENTS
  /// document).
  static func applicationID(
    ofUnit unit: String, isInstalled: (ApplicationID) -> Bool
  ) -> ApplicationID? {
    guard unit.hasPrefix("app-"), let dot = unit.lastIndex(of: ".") else { return nil }
    var name = String(unit[..<dot].dropFirst(4))
    switch unit[dot...] {
    case ".service":
      if let at = name.lastIndex(of: "@") {
        guard isAlphanumeric(name[at...].dropFirst()) else { return nil }
        name = String(name[..<at])
      } else if name.hasSuffix("-autostart") {
        name = String(name.dropLast("-autostart".count))
      }
    case ".scope", ".slice":
      guard let dash = name.lastIndex(of: "-"), isAlphanumeric(name[dash...].dropFirst()) else { return nil }
      name = String(name[..<dash])
    default: return nil
    }
    // A dash in an escaped ID is `\x2d`, so an unescaped dash ends the launcher's name. Some launchers do not escape,
    // so the whole name is tried too.
    let withoutLauncher = name.firstIndex(of: "-").flatMap { dash in
      dash > name.startIndex && isAlphanumeric(name[..<dash]) ? String(name[name.index(after: dash)...]) : nil
    }
    // The ID with `.desktop` at its end precedes the ID without it, because `org.telegram.desktop` is a valid ID.
    return [withoutLauncher, name].compactMap { $0.flatMap(unescape) }
      .flatMap { [ApplicationID(rawValue: $0), ApplicationID($0)].compactMap(\.self) }.first(
        where: isInstalled)
  }

  private static func isAlphanumeric(_ text: Substring) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0.properties.numericType != nil }
      && text.utf8.allSatisfy { $0 < 0x80 }
  }

  /// Decodes the `\x2d` escapes of systemd.unit(5).
  private static func unescape(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.dropFirst().prefix(2)
      guard rest.first == UInt8(ascii: "x"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(3)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
