/// One way to write a `file:` URL, so that two URLs of one local path are one text.
///
/// `file:/a`, `file://localhost/a`, `file:////a`, `file:///b/../a/` and `file:///%61` become `file:///a`, because file managers, browsers and
/// the broker open the same file. Symbolic links are not followed. The bytes of query and fragment stay as they are.
///
/// RFC 8089, appendix B; WHATWG URL, section 4.4, "file state".
@usableFromInline
enum FileNormalForm {
  /// Returns the normal form of a URL; `nil` if it is in that form already, is of another scheme, names another machine, or cannot be decoded.
  @usableFromInline
  static func text(of url: borrowing Span<UInt8>) -> String? {
    guard url.count > 5, url.count <= RouteLimits.bytes else { return nil }
    for (index, byte) in "file:".utf8.enumerated() where url[index].foldedASCII != byte { return nil }
    var position = 5
    if hasSlashes(url, at: position) {
      position += 2
      let start = position
      while position < url.count, !isEnd(url[position]), url[position] != UInt8(ascii: "/") { position += 1 }
      guard isLocal(url, start..<position) else { return nil }
    }
    guard position < url.count, url[position] == UInt8(ascii: "/") else { return nil }
    let start = position
    while position < url.count, !isEnd(url[position]) { position += 1 }
    guard let path = decoded(url, start..<position) else { return nil }
    var text = Array("file:///".utf8)
    text += normalized(path)
    for index in position..<url.count { text.append(url[index]) }
    return isSame(text, url) ? nil : String(validating: text, as: UTF8.self)
  }

  private static func hasSlashes(_ url: borrowing Span<UInt8>, at position: Int) -> Bool {
    position + 1 < url.count && url[position] == UInt8(ascii: "/") && url[position + 1] == UInt8(ascii: "/")
  }

  private static func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }

  /// Returns whether the host is this machine: empty, or `localhost` in any case.
  private static func isLocal(_ url: borrowing Span<UInt8>, _ host: Range<Int>) -> Bool {
    guard !host.isEmpty else { return true }
    let name = Array("localhost".utf8)
    guard host.count == name.count else { return false }
    for index in host where url[index].foldedASCII != name[index - host.lowerBound] { return false }
    return true
  }

  /// The path behind percent-encoding; `nil` where a `%` is broken.
  private static func decoded(_ url: borrowing Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
    var path: [UInt8] = []
    var position = range.lowerBound
    while position < range.upperBound {
      guard url[position] == UInt8(ascii: "%") else {
        path.append(url[position])
        position += 1
        continue
      }
      guard position + 2 < range.upperBound, let high = url[position + 1].hexValue,
        let low = url[position + 2].hexValue
      else { return nil }
      path.append(high << 4 | low)
      position += 3
    }
    return path
  }

  /// The segments of an absolute path without empty ones and dot segments, encoded where a URL needs it, with slashes between them.
  private static func normalized(_ path: [UInt8]) -> [UInt8] {
    var segments: [ArraySlice<UInt8>] = []
    for segment in path.split(separator: UInt8(ascii: "/")) {
      switch DotSegment(Array(segment)) {
      case .current: continue
      case .parent: _ = segments.popLast()
      case nil: segments.append(segment)
      }
    }
    var text: [UInt8] = []
    for byte in segments.joined(separator: [UInt8(ascii: "/")]) {
      // A C1 control is the second byte of two, and both are encoded as they come.
      guard byte <= 0x20 || byte >= 0x7F || "%?#\\".utf8.contains(byte) else {
        text.append(byte)
        continue
      }
      text.append(UInt8(ascii: "%"))
      text += [byte >> 4, byte & 15].map { $0 < 10 ? $0 + UInt8(ascii: "0") : $0 - 10 + UInt8(ascii: "A") }
    }
    return text
  }

  private static func isSame(_ text: [UInt8], _ url: borrowing Span<UInt8>) -> Bool {
    guard text.count == url.count else { return false }
    for index in text.indices where text[index] != url[index] { return false }
    return true
  }
}

extension String {
  /// The URL as routes read it: a `file:` URL in its normal form, any other as it is.
  @inlinable
  var readableURL: String {
    // No other scheme needs a second look.
    guard let first = utf8.first, first | 0x20 == UInt8(ascii: "f") else { return self }
    return FileNormalForm.text(of: utf8.span) ?? self
  }
}
