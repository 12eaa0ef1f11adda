// SPDX-License-Identifier: Apache-2.0
/// A URL split into its components for one match: offsets, and tokens in a buffer of the caller.
struct URLTokenizer {
  enum Outcome {
    case read
    /// There are more labels and segments than the buffer holds.
    case full
    /// The text is not a URL, or it exceeds a limit; `ParsedURL` reports the reason.
    case invalid
  }

  let url: URLBytes
  let tokens: UnsafeMutablePointer<MatchToken>
  let capacity: Int
  /// Indicates whether the URL is ASCII without percent-encoding.
  var isPlain = true

  /// The offset of the scheme's colon; 0 for a bare path.
  var schemeEnd = 0
  var scheme = MatchToken(key: .empty, start: 0, end: 0, isWritten: true)
  /// The mark of the text after the scheme: 1 for `//`, 2 for another rooted path, 3 for a path without a leading slash.
  var opening: UInt32 = 2
  /// The number of host labels; their tokens are the first ones, from the left.
  var labelCount = 0
  /// The mark of the port and the user.
  var port: UInt32 = 0
  var user = MatchToken(key: .empty, start: 0, end: 0, isWritten: true)
  /// The number of segments; their tokens follow those of the host.
  var segmentCount = 0
  /// The range of the path, without its leading slash.
  var path = 0..<0
  /// The range of the query, after its `?`; `nil` if there is none.
  var query: Range<Int>?
  /// The offset of the fragment, after its `#`; `nil` if there is none.
  var fragment: Int?
  /// Indicates whether `+` is a space in the query.
  var readsPlusAsSpace = true

  init(_ url: URLBytes, _ room: MatchScratch) {
    self.url = url
    tokens = room.tokens
    capacity = room.tokenCount
  }

  /// Splits a URL, or a bare path that begins with `/`.
  @inline(never)
  mutating func read() -> Outcome {
    let count = url.count
    guard count > 0, count <= RouteLimits.bytes else { return .invalid }
    var end = count
    guard look(&end) else { return .invalid }
    var position = 0
    if url.base[0] != UInt8(ascii: "/") {
      position = readScheme()
      guard position > 0 else { return .invalid }
      if position &+ 1 < count, url.base[position] == UInt8(ascii: "/"),
        url.base[position &+ 1] == UInt8(ascii: "/")
      {
        opening = 1
        let begin = position &+ 2
        let outcome =
          readPlainHost(from: begin, limit: end, end: &position)
          ?? readAuthority(from: begin, limit: end, end: &position)
        guard case .read = outcome else { return outcome }
      } else {
        // Reject it, because a browser would read the following text as a host, and a file manager as a path.
        guard !SchemeKeys.isSpecial(scheme.key) else { return .invalid }
        opening = position < count && url.base[position] == UInt8(ascii: "/") ? 2 : 3
      }
    }
    if opening != 3, position < end { position &+= 1 }
    path = position..<max(position, end)
    return readSegments(position, end)
  }

  /// Finds the query and the fragment, and sets `end` to the end of the path.
  @inline(__always)
  private mutating func look(_ end: inout Int) -> Bool {
    guard url.count >= 16, let ends = URLPrescan.ends(url) else { return lookClosely(&end) }
    end = ends.path
    guard end < url.count else { return true }
    if ends.query < url.count { fragment = ends.query &+ 1 }
    guard url.base[end] == UInt8(ascii: "?") else { return true }
    query = Range(uncheckedBounds: (end &+ 1, ends.query))
    // A query with no more bytes than the limit of items cannot exceed that limit.
    return ends.query &- end <= RouteLimits.queryItems || lookClosely(&end)
  }

  /// Finds the query and the fragment by reading each byte.
  @inline(never)
  private mutating func lookClosely(_ end: inout Int) -> Bool {
    guard let check = URLValidator(url), check.items <= RouteLimits.queryItems else { return false }
    isPlain = check.isPlain
    end = min(check.query, check.fragment)
    if check.query < url.count { query = (check.query &+ 1)..<check.fragment }
    if check.fragment < url.count { fragment = check.fragment &+ 1 }
    return true
  }

  /// Returns the token of a text that may be percent-encoded, or has to be in lower case.
  mutating func encodedToken(from start: Int, to end: Int, form: Normalization) -> MatchToken {
    var isWritten = true
    for position in start..<end {
      let byte = url.base[position]
      if byte == UInt8(ascii: "%") || (form.foldsCase && byte.foldedASCII != byte) { isWritten = false }
    }
    let key =
      isWritten ? url.key(start, end) : url.key(from: start, to: end, form: form)
    return MatchToken(key: key, start: start, end: end, isWritten: isWritten)
  }
}
