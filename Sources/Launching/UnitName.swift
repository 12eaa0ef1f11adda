// SPDX-License-Identifier: Apache-2.0
/// The name of an application's transient unit, according to systemd's DESKTOP_ENVIRONMENTS document.
enum UnitName {
  /// Returns the name of a service, such as `app-usher-org.example.Notes@1f6a….service`.
  static func service(for application: String, random: UInt64) -> String {
    name(of: application, "@\(String(random, radix: 16)).service")
  }

  /// Returns the name of a scope, such as `app-usher-org.example.Notes-1f6a….scope`.
  static func scope(for application: String, random: UInt64) -> String {
    name(of: application, "-\(String(random, radix: 16)).scope")
  }

  private static func name(of application: String, _ ending: String) -> String {
    // A unit name has at most 255 bytes. A longer ID is cut; the random part keeps the name unique.
    let fixed = "app-usher-\(ending)".utf8.count
    var escaped = ""
    for byte in application.utf8 {
      let next = escape(byte, isFirst: escaped.isEmpty)
      guard fixed + escaped.utf8.count + next.utf8.count <= 255 else { break }
      escaped += next
    }
    return "app-usher-\(escaped)\(ending)"
  }

  /// Escapes a byte by systemd.unit(5), "String Escaping for Inclusion in Unit Names".
  private static func escape(_ byte: UInt8, isFirst: Bool) -> String {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "_"):
      return String(Unicode.Scalar(byte))
    case UInt8(ascii: ".") where !isFirst: return "."
    default:
      let hex = String(byte, radix: 16)
      return "\\x" + (hex.count == 1 ? "0" : "") + hex
    }
  }
}
