// SPDX-License-Identifier: Apache-2.0
/// The normal form of `file:` URLs, in which two URLs of one local path are the same text.
///
/// `file:/a`, `file://localhost/a`, `file:////a`, `file:///b/../a/` and `file:///%61` become `file:///a`, because file
/// managers, browsers and the broker open the same file for them. Symbolic links are not followed. The bytes of query and
/// fragment are not changed.
///
/// RFC 8089, appendix B; WHATWG URL, section 4.4, "file state".
@usableFromInline
enum FileNormalForm {
  /// Returns the normal form of a `file:` URL, or `nil` if there is no different normal form.
  ///
  /// The result is `nil` if the URL is in normal form already, has another scheme, names another machine, or cannot be
  /// decoded.
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

  /// Returns whether the path has a `.`, `..` or empty segment, apart from a slash at its end, or the URL names `localhost`.
  ///
  /// Only then may programs read another path in the URL than in its normal form.
  static func isAmbiguous(_ url: borrowing Span<UInt8>) -> Bool {
    guard text(of: url) != nil else { return false }
    var position = 5
    if hasSlashes(url, at: position) {
      position += 2
      guard position < url.count, url[position] == UInt8(ascii: "/") else { return true }
    }
    let start = position
    while position < url.count, !isEnd(url[position]) { position += 1 }
    guard let path = decoded(url, start..<position) else { return false }
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      if segment.isEmpty, index > 0, index < segments.count - 1 { return true }
      if DotSegment(Array(segment)) != nil { return true }
    }
    return false
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

  /// Returns the percent-decoded path, or `nil` if a `%` is not followed by two hexadecimal digits.
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

  /// Returns the segments of an absolute path, joined with slashes and without a leading slash.
  ///
  /// Empty segments and dot segments are removed, and characters that a URL cannot contain are percent-encoded.
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
      // The two bytes of a C1 control character are both at or above 0x7F, so that both are encoded here.
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
  /// The URL in the form that routes match: a `file:` URL in normal form, any other URL unchanged.
  @inlinable
  package var readableURL: String {
    // Skip other schemes cheaply, because only `file:` URLs have a normal form.
    guard let first = utf8.first, first | 0x20 == UInt8(ascii: "f") else { return self }
    return FileNormalForm.text(of: utf8.span) ?? self
  }
}

extension URLString {
  /// The URL with the local path that routes compare, if programs may read another path in the written URL.
  ///
  /// These are the `file:` URLs with `localhost`, or with a `.`, `..` or empty segment. The kernel follows a symbolic link
  /// before it applies a `..` behind it, and routes compare the path without `..`. All other URLs are unchanged.
  ///
  /// ```swift
  /// try URLString("file:///var/run/../x").withUnambiguousPath.text   // "file:///var/x"
  /// ```
  public var withUnambiguousPath: URLString {
    guard let first = text.utf8.first, first | 0x20 == UInt8(ascii: "f"),
      FileNormalForm.isAmbiguous(text.utf8.span), let path = FileNormalForm.text(of: text.utf8.span)
    else { return self }
    return (try? URLString(path)) ?? self
  }
}
