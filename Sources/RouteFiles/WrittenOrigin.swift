// SPDX-License-Identifier: Apache-2.0
internal import HostNames
internal import RouteTables

/// An origin in a condition, in the form in which the broker compares it.
enum WrittenOrigin: Equatable {
  /// The canonical form of the origin, in which `*` means any text without a slash.
  case compared(String)
  /// The reason why no page has this origin, and the correction.
  case refused(String)

  /// Reads the origin of a condition.
  ///
  /// The broker compares origins of other schemes than http and https as the caller states them.
  init(_ text: String) {
    let parts = text.unicodeScalars.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
      .map { String($0) }
    let isOpen = text.unicodeScalars.contains("*")
    guard parts.count == 3, isOpen ? Self.mayBeWeb(parts[0]) : Self.canonical(text) != nil else {
      self = .compared(text)
      return
    }
    guard !parts[2].unicodeScalars.contains(where: { "/\\?#@ ".unicodeScalars.contains($0) }) else {
      self = .refused("write a scheme and a host, such as `https://example.org`, without a user and a path")
      return
    }
    self = isOpen ? Self.open(scheme: parts[0].lowercased(), parts[2]) : Self.whole(Self.stated(text))
  }

  /// Returns the form in which the broker compares the origin that a caller states.
  static func stated(_ text: String) -> String { canonical(text) ?? text }

  private static let invalid = "its host or port is invalid"

  private static func whole(_ canonical: String) -> WrittenOrigin {
    canonical == "null" ? .refused(invalid) : .compared(canonical)
  }

  /// Reads an origin with `*`; `scheme` ends with its colon.
  private static func open(scheme: String, _ authority: String) -> WrittenOrigin {
    let scalars = authority.unicodeScalars
    // An address in brackets contains colons.
    let colon = scalars[(scalars.lastIndex(of: "]") ?? scalars.startIndex)...].firstIndex(of: ":")
    let port = String(scalars[(colon ?? scalars.endIndex)...])
    guard let host = mapped(String(scalars[..<(colon ?? scalars.endIndex)])) else {
      return .refused("\(invalid); write a host with `*` in ASCII, such as `*.xn--mnchen-3ya.example`")
    }
    let start = scheme == "http:" ? "http://" : "https://"
    var correction: String?
    for name in examples(of: host).map({ start + $0 }) {
      let example = name + port.replacing("*", with: "1")
      guard let canonical = canonical(example), canonical != "null" else { continue }
      if canonical == example {
        // A scheme with `*` may be http, which has another default port.
        let plain = "http" + String(Substring(example.utf8.dropFirst("https".utf8.count)))
        guard !scheme.utf8.contains(UInt8(ascii: "*")) || Self.canonical(plain) == plain else {
          return .refused(
            "write an origin for `http` and one for `https`, because port 80 is the default of http")
        }
        return .compared("\(scheme)//\(host)\(port)")
      }
      correction = "\(scheme)//\(host)" + String(Substring(canonical.utf8.dropFirst(name.utf8.count)))
    }
    return .refused(correction.map { "write `\($0)`" } ?? invalid)
  }

  /// Returns hosts that one with `*` may match: with a letter in a name, and with numbers in an IPv4 address and a port.
  private static func examples(of host: String) -> [String] {
    guard host.hasPrefix("[") else {
      return ["a", "1", "0.0", "0.0.0"].map { host.replacing("*", with: $0) }
    }
    let isAddress =
      host.hasSuffix("]")
      && host.utf8.dropFirst().dropLast().allSatisfy { "0123456789abcdef:.*".utf8.contains($0) }
    return isAddress ? ["[::1]"] : []
  }

  /// Returns a host with `*` and its other labels in ASCII; `nil` if it has no such form.
  private static func mapped(_ host: String) -> String? {
    guard !host.hasPrefix("[") else { return host.lowercased() }
    var labels: [String] = []
    for label in host.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false) {
      let isOpen = label.contains("*")
      guard !isOpen || label.allSatisfy(\.isASCII),
        let mapped = isOpen || label.isEmpty
          ? String(label).lowercased() : try? HostName.ascii(String(label))
      else { return nil }
      labels.append(mapped)
    }
    return labels.joined(separator: ".")
  }

  /// Returns whether a scheme with its colon, and with `*` for any text, may be http or https.
  private static func mayBeWeb(_ scheme: String) -> Bool {
    let start = String(scheme.lowercased().unicodeScalars.prefix { $0 != "*" })
    return ["http:", "https:"].contains { $0.hasPrefix(start) }
  }

  /// Returns the canonical form of a web origin, `null` for an invalid one; `nil` for another scheme.
  private static func canonical(_ text: String) -> String? {
    HostName.origin(of: text).map { (try? URLAuthority($0))?.text == $0 ? $0 : "null" }
  }
}
