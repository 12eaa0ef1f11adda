// SPDX-License-Identifier: Apache-2.0
/// The status and the header fields of the last response in a dump of `curl --dump-header`.
struct ResponseHead: Hashable {
  /// The status code.
  let status: Int
  private var fields: [String: String] = [:]

  /// Parses a dump; `nil` if it contains no complete response.
  ///
  /// The dump begins with the responses that redirect, and may end with trailer fields, which follow the body.
  init?(dump: [UInt8]) {
    let lines = dump.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
    guard let start = lines.lastIndex(where: { $0.starts(with: "HTTP/".utf8) }),
      // The last part of the dump follows the last line break, and is no line.
      let end = lines[start...].dropLast().firstIndex(where: \.isEmpty)
    else { return nil }
    let words = String(decoding: lines[start], as: UTF8.self).split(separator: " ")
    guard words.count > 1, let status = Int(words[1]), (200...599).contains(status) else { return nil }
    self.status = status
    for line in lines[start..<end].dropFirst() {
      let parts = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let name = parts[0].lowercased()
      let value = Self.trimmed(parts[1])
      // A field that occurs twice with two values says nothing that can be relied on.
      fields[name] = fields[name].map { $0 == value ? value : "" } ?? value
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return String(text)
  }

  /// The length of the whole file; `nil` if the server does not state it.
  var total: Int64? {
    if status == 206 { return range?.total }
    guard fields["transfer-encoding"] == nil else { return nil }
    return fields["content-length"].flatMap(Self.number)
  }

  /// The range of a partial response: its first byte, and the length of the whole file.
  var range: (start: Int64, total: Int64?)? {
    let words = (fields["content-range"] ?? "").split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/")
    guard parts.count == 2, let start = parts[0].split(separator: "-").first.flatMap({ Self.number($0) })
    else { return nil }
    return (start, Self.number(parts[1]))
  }

  private static func number(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }

  /// The strong validator for `If-Range` (RFC 9110, section 13.1.5): the entity tag, or the time of the last change if it was at
  /// least one minute before the response; `nil` if the server sends neither.
  ///
  /// A file with another time may have changed again within the second.
  var validator: String? {
    if let tag = fields["etag"] {
      let isStrong = tag.count > 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
      return isStrong && Self.isSendable(tag) ? tag : nil
    }
    guard let text = fields["last-modified"], let changed = HTTPDate(text),
      let sent = fields["date"].flatMap(HTTPDate.init), sent.seconds - changed.seconds >= 60
    else { return nil }
    return text
  }

  private static func isSendable(_ text: String) -> Bool {
    text.utf8.count <= 1_024 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// Returns whether the response is about the file with this validator.
  ///
  /// The time in a partial response need not be older than the response.
  func has(_ validator: String) -> Bool {
    validator.hasPrefix("\"") ? fields["etag"] == validator : fields["last-modified"] == validator
  }

  /// The number of seconds after which the server wants to be asked again.
  var retryAfter: Int64? { fields["retry-after"].flatMap(Self.number) }
}

/// A date of HTTP in its usual form (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
struct HTTPDate {
  /// The seconds since 1970.
  let seconds: Int64

  init?(_ text: String) {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", words[0].hasSuffix(","), let day = Int(words[1]),
      (1...31).contains(day), let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]),
      (1970...9999).contains(year)
    else { return nil }
    let time = words[4].split(separator: ":").compactMap { Int($0) }
    guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2])
    else { return nil }
    let days = CivilDate(year: year, month: month + 1, day: day).number
    seconds = Int64(days) * 86_400 + Int64(time[0] * 3_600 + time[1] * 60 + time[2])
  }
}
