// SPDX-License-Identifier: Apache-2.0
import PercentEncoding

extension HostName {
  /// Returns whether browsers map hosts under `scheme`, which must be in lower case: http, https, ws, wss and ftp.
  ///
  /// WHATWG URL, section 4.2, "special scheme", without `file`, whose host is a machine.
  private static func isMapped(underScheme scheme: String) -> Bool {
    switch scheme {
    case "http", "https", "ws", "wss", "ftp": true
    default: false
    }
  }

  /// Returns the URL with its host in ASCII, as browsers map it; everything before and after the host is unchanged.
  ///
  /// A URL of another scheme, one without `//`, a host that is an address in brackets and one that is already mapped
  /// are returned unchanged.
  ///
  /// ```swift
  /// try HostName.mappingHost(of: "https://b%C3%A4d.example/a%20b")   // "https://xn--bd-via.example/a%20b"
  /// ```
  ///
  /// - Throws: ``HostNameError`` for a host that has no ASCII form, for one with an empty label, as `bad.example..`, and for one
  ///   with a character at which some programs end the host, as `"`.
  public static func mappingHost(of url: String) throws(HostNameError) -> String {
    guard let range = hostRange(of: url) else { return url }
    let host = url.utf8[range]
    guard host.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) || hasACELabel(host) else {
      guard !hasEmptyLabel(host) else { throw HostNameError(String(Substring(host)), .emptyLabel) }
      guard !host.contains(where: isDisputed) else {
        throw HostNameError(String(Substring(host)), .forbidden)
      }
      return url
    }
    guard let decoded = percentDecoded(host) else {
      throw HostNameError(String(Substring(host)), .notUTF8)
    }
    return replacing(range, of: url, with: try undisputed(decoded))
  }

  /// Returns the URL with each other form of its host that some programs use; routes that deny or ask compare these forms, too.
  ///
  /// These are the host as browsers would map it under http, for a scheme under which browsers map no host; the host as programs
  /// map it by IDNA 2003, which replaces `ß`, `ς` and joiners; the host up to a `%`, at which Node's `url.parse` ends it; and the
  /// IPv4 address in an IPv4-mapped IPv6 address. An IPv4 address is written as four decimal numbers, and its trailing dot is
  /// removed.
  ///
  /// ```swift
  /// try HostName.otherReadings(of: "webcal://b%C3%A4d.example/x").first?.get()   // "webcal://xn--bd-via.example/x"
  /// try HostName.otherReadings(of: "ldap://127.1/").first?.get()                 // "ldap://127.0.0.1/"
  /// try HostName.otherReadings(of: "http://[::ffff:7f00:1]/").first?.get()       // "http://127.0.0.1/"
  /// try HostName.otherReadings(of: "http://straße.example/").first?.get()        // "http://strasse.example/"
  /// try HostName.otherReadings(of: "http://a.example%2Eb/").first?.get()         // "http://a.example/%2Eb/"
  /// ```
  ///
  /// - Returns: An empty array if there is no other form, the URL has no host after `//`, or the scheme is `file`. The error of a
  ///   host that has no ASCII form.
  public static func otherReadings(of url: String) -> [Result<String, HostNameError>] {
    guard let scheme = scheme(of: url), scheme != "file" else { return [] }
    if let address = withIPv4Address(url) { return [.success(address)] }
    guard let range = authorityHostRange(of: url) else { return [] }
    let host = url.utf8[range]
    let isMapped = isMapped(underScheme: scheme)
    guard
      host.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") })
        || !isMapped
          && (hasACELabel(host) || hasEmptyLabel(host)
            || host.contains(where: { $0 &- UInt8(ascii: "0") < 10 || isDisputed($0) }))
    else { return [] }
    do throws(HostNameError) {
      guard let decoded = percentDecoded(host) else {
        throw HostNameError(String(Substring(host)), .notUTF8)
      }
      var forms = isMapped ? [] : [try form(of: decoded)]
      // Java reads a number with a leading zero as a decimal one.
      if !isMapped, let address = dottedIPv4(decoded, isOctalAfterZero: false), !forms.contains(address) {
        forms.append(address)
      }
      if let other = replacingDeviations(in: decoded) { forms.append(try form(of: other)) }
      var readings = forms.filter { !$0.utf8.elementsEqual(host) }.map { replacing(range, of: url, with: $0) }
      if let end = host.firstIndex(of: UInt8(ascii: "%")), end > host.startIndex {
        let first = try form(of: String(Substring(host[..<end])))
        readings.append(replacing(range.lowerBound..<end, of: url, with: first + "/"))
      }
      return readings.map { .success($0) }
    } catch {
      return [.failure(error)]
    }
  }

  /// Returns a host in ASCII, and an IPv4 address as four decimal numbers.
  private static func form(of host: String) throws(HostNameError) -> String {
    let mapped = try undisputed(host)
    return dottedIPv4(mapped) ?? mapped
  }

  /// Returns a host in ASCII; throws an error for one with an empty label or a character about which programs disagree.
  private static func undisputed(_ host: String) throws(HostNameError) -> String {
    let mapped = try ascii(host)
    guard !hasEmptyLabel(mapped[...].utf8) else { throw HostNameError(host, .emptyLabel) }
    guard !mapped.utf8.contains(where: isDisputed) else { throw HostNameError(host, .forbidden) }
    return mapped
  }

  private static func replacing(_ range: Range<String.Index>, of url: String, with host: String) -> String {
    String(Substring(url.utf8[..<range.lowerBound])) + host + String(Substring(url.utf8[range.upperBound...]))
  }

  /// Returns whether programs disagree about a punctuation character of a host.
  ///
  /// Browsers accept these characters. Qt reads `127.0.0.+1` as 127.0.0.1, and Node's `url.parse` ends the host at a `"`.
  /// A `;` has a reading of its own, and a `\` does not occur in a mapped host.
  private static func isDisputed(_ byte: UInt8) -> Bool { "!\"$&'()*+,=`{}~".utf8.contains(byte) }

  /// Returns the host with the characters that IDNA 2003 replaces and browsers do not; `nil` if it has none.
  ///
  /// UTS 46, section 2.3, "Deviations".
  private static func replacingDeviations(in host: String) -> String? {
    var (replaced, isChanged) = (String.UnicodeScalarView(), false)
    for character in host.unicodeScalars {
      switch character {
      case "\u{DF}": replaced.append(contentsOf: "ss".unicodeScalars)
      case "\u{3C2}": replaced.append("\u{3C3}")
      case "\u{200C}", "\u{200D}": break
      default:
        replaced.append(character)
        continue
      }
      isChanged = true
    }
    return isChanged ? String(replaced) : nil
  }

  /// Returns the URL, or the pattern of one, with an IPv4 address in place of its IPv4-mapped IPv6 address in canonical form.
  ///
  /// RFC 4291, section 2.5.5.2.
  ///
  /// - Returns: `nil` if the host is anything else.
  public static func withIPv4Address(_ url: String) -> String? {
    let bytes = url.utf8
    guard bytes.contains(UInt8(ascii: "[")), let authority = authorityRange(of: url) else { return nil }
    let start =
      bytes[authority].lastIndex(of: UInt8(ascii: "@")).map { bytes.index(after: $0) } ?? authority.lowerBound
    let host = bytes[start..<authority.upperBound]
    guard host.first == UInt8(ascii: "["), let end = host.firstIndex(of: UInt8(ascii: "]")) else {
      return nil
    }
    let groups = String(url[start...end]).asciiLowercased.dropFirst().dropLast()
      .split(separator: ":", omittingEmptySubsequences: false)
    guard groups.count == 5, groups[0].isEmpty, groups[1].isEmpty, groups[2] == "ffff",
      let high = digits(groups[3], radix: 16), let low = digits(groups[4], radix: 16), high | low <= 0xFFFF
    else { return nil }
    let address = [high >> 8, high & 0xFF, low >> 8, low & 0xFF].map { "\($0)" }.joined(separator: ".")
    return url[..<start] + address + url[url.utf8.index(after: end)...]
  }

  /// Returns a host of one to four numbers as an IPv4 address of four decimal numbers; `nil` for any other host.
  ///
  /// POSIX.1-2024, `inet_addr`; WHATWG URL, section 3.5, "IPv4 parser".
  private static func dottedIPv4(_ host: String, isOctalAfterZero: Bool = true) -> String? {
    var labels = host.split(separator: ".", omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    guard (1...4).contains(labels.count) else { return nil }
    var address: UInt64 = 0
    for (index, label) in labels.enumerated() {
      let isLast = index == labels.count - 1
      guard let number = number(label, isOctalAfterZero: isOctalAfterZero),
        number < (isLast ? 1 << (8 * UInt64(5 - labels.count)) : 256)
      else {
        return nil
      }
      address = isLast ? address << (8 * UInt64(5 - labels.count)) | number : address << 8 | number
    }
    return [24, 16, 8, 0].map { "\(address >> $0 & 0xFF)" }.joined(separator: ".")
  }

  /// Returns the value of a decimal number, of a hexadecimal one after `0x`, or of an octal one after `0`, if such a number is octal.
  private static func number(_ label: Substring, isOctalAfterZero: Bool) -> UInt64? {
    guard let first = label.utf8.first, first &- UInt8(ascii: "0") < 10 else { return nil }
    if label.hasPrefix("0x") { return label.utf8.count == 2 ? 0 : digits(label.dropFirst(2), radix: 16) }
    return isOctalAfterZero && label.utf8.count > 1 && first == UInt8(ascii: "0")
      ? digits(label.dropFirst(), radix: 8) : digits(label, radix: 10)
  }

  private static func digits(_ text: Substring, radix: Int) -> UInt64? {
    // The initializer also accepts a sign.
    guard let first = text.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else {
      return nil
    }
    return UInt64(text, radix: radix)
  }

  /// Returns whether a host begins with a dot or has two in a row.
  ///
  /// Browsers parse such a host, but DNS has no name for it (RFC 1035,
  /// section 3.1), and a rule for the host without the dots would not hold for it.
  private static func hasEmptyLabel(_ host: Substring.UTF8View) -> Bool {
    let dot = UInt8(ascii: ".")
    var last = dot
    for byte in host {
      if byte == dot, last == dot { return true }
      last = byte
    }
    return false
  }

  /// Returns the range of the host in a URL whose host browsers map; `nil` for any other URL, and for an address in brackets.
  private static func hostRange(of url: String) -> Range<String.Index>? {
    let bytes = url.utf8
    // The longest of these schemes has five letters.
    guard let colon = bytes.prefix(6).firstIndex(of: UInt8(ascii: ":")),
      isMapped(underScheme: String(Substring(bytes[..<colon])).asciiLowercased)
    else { return nil }
    return authorityHostRange(of: url)
  }

  /// Returns the scheme of a URL in lower case; `nil` if the text has no colon before `/`, `?` and `#`.
  private static func scheme(of url: String) -> String? {
    guard let end = url.utf8.firstIndex(where: { ":/?#".utf8.contains($0) }),
      url.utf8[end] == UInt8(ascii: ":")
    else { return nil }
    return String(url[..<end]).asciiLowercased
  }

  /// Returns the range of the host after the `//` of a URL; `nil` if there is no `//`, and for an address in brackets.
  private static func authorityHostRange(of url: String) -> Range<String.Index>? {
    guard let range = authorityRange(of: url) else { return nil }
    let authority = url.utf8[range]
    let host =
      authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] } ?? authority
    guard host.first != UInt8(ascii: "[") else { return nil }
    let name = host.prefix { $0 != UInt8(ascii: ":") }
    return name.startIndex..<name.endIndex
  }

  /// Returns the range of the authority after the `//` of a URL; `nil` if there is no `//`.
  private static func authorityRange(of url: String) -> Range<String.Index>? {
    var bytes = url.utf8[...]
    // A pattern may begin with a list of schemes, which has a colon of its own.
    if bytes.starts(with: "{:".utf8) { bytes = bytes.drop { $0 != UInt8(ascii: "}") } }
    let rest = bytes.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    guard rest.starts(with: "//".utf8) else { return nil }
    let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
    return authority.startIndex..<authority.endIndex
  }

  private static func hasACELabel(_ host: Substring.UTF8View) -> Bool {
    var rest = host
    while !rest.isEmpty {
      // `| 0x20` does not change a hyphen, which already has that bit.
      if rest.prefix(4).lazy.map({ $0 | 0x20 }).elementsEqual("xn--".utf8) { return true }
      rest = rest.drop { $0 != UInt8(ascii: ".") }.dropFirst()
    }
    return false
  }

  /// Returns the percent-decoded text; `nil` if it is not UTF-8, has a NUL, or a `%` without two hexadecimal digits.
  private static func percentDecoded(_ text: Substring.UTF8View) -> String? {
    guard let bytes = PercentEncoding.bytes(of: text), !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
