import Freedesktop

extension SourceApplication {
  /// The application that a unit of the user manager is named after, by the portal's rules.
  ///
  /// `app[-LAUNCHER]-ID[@RANDOM].service`, `app[-LAUNCHER]-ID-RANDOM.scope`, `…-autostart.service`; the ID is
  /// escaped as systemd escapes, and counts only when a desktop entry of that name exists (systemd's
  /// DESKTOP_ENVIRONMENTS document).
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
    // A dash in the ID itself is escaped, so that one that is not can only end the launcher's name; some
    // launchers do not escape, hence the whole is tried as well.
    let withoutLauncher = name.firstIndex(of: "-").flatMap { dash in
      dash > name.startIndex && isAlphanumeric(name[..<dash]) ? String(name[name.index(after: dash)...]) : nil
    }
    // Taken without `.desktop` only where it is nobody's with it: `org.telegram.desktop` is an ID.
    return [withoutLauncher, name].compactMap { $0.flatMap(unescape) }
      .flatMap { [ApplicationID(rawValue: $0), ApplicationID($0)].compactMap(\.self) }.first(
        where: isInstalled)
  }

  private static func isAlphanumeric(_ text: Substring) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0.properties.numericType != nil }
      && text.utf8.allSatisfy { $0 < 0x80 }
  }

  /// Undoes systemd.unit(5)'s `\x2d`.
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
