/// A URL cut into its components for one match: numbers, and tokens in a buffer that the caller lends.
struct URLTokenizer {
  enum Outcome {
    case read
    /// There are more labels and segments than the buffer has room for.
    case full
    /// It is no URL, or beyond the limits; `ParsedURL` says why.
    case invalid
  }

  let url: URLBytes
  let tokens: UnsafeMutablePointer<MatchToken>
  let capacity: Int
  /// Whether nothing in the URL is encoded.
  var isPlain = true

  /// Where the scheme ends; 0 in a bare path.
  var schemeEnd = 0
  var scheme = MatchToken(key: .empty, start: 0, end: 0, isWritten: true)
  /// The mark of what follows the scheme.
  var opening: UInt32 = 2
  /// The tokens of the host from the left are the first ones.
  var labelCount = 0
  /// The mark of the port and the user.
  var port: UInt32 = 0
  var user = MatchToken(key: .empty, start: 0, end: 0, isWritten: true)
  /// The tokens of the path follow those of the host.
  var segmentCount = 0
  /// Where the path begins, after its slash, and where it ends.
  var path = 0..<0
  /// Where the query stands, after its mark; `nil` if there is none.
  var query: Range<Int>?
  /// Where the fragment begins, after its mark; `nil` if there is none.
  var fragment: Int?
  /// Whether `+` is a space in the query.
  var readsPlusAsSpace = true

  init(_ url: URLBytes, _ room: MatchScratch) {
    self.url = url
    tokens = room.tokens
    capacity = room.tokenCount
  }

  /// Cuts a URL, or a bare path that begins with `/`.
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
        // Browsers take what follows for a host, and a file manager for a path.
        guard !SchemeKeys.isSpecial(scheme.key) else { return .invalid }
        opening = position < count && url.base[position] == UInt8(ascii: "/") ? 2 : 3
      }
    }
    if opening != 3, position < end { position &+= 1 }
    path = position..<max(position, end)
    return readSegments(position, end)
  }

  /// Finds the query and the fragment; `end` is that of the path.
  @inline(__always)
  private mutating func look(_ end: inout Int) -> Bool {
    guard url.count >= 16, let ends = URLPrescan.ends(url) else { return lookClosely(&end) }
    end = ends.path
    guard end < url.count else { return true }
    if ends.query < url.count { fragment = ends.query &+ 1 }
    guard url.base[end] == UInt8(ascii: "?") else { return true }
    query = Range(uncheckedBounds: (end &+ 1, ends.query))
    // Fewer bytes than items there may be are fewer items.
    return ends.query &- end <= RouteLimits.queryItems || lookClosely(&end)
  }

  /// Looks at each byte.
  @inline(never)
  private mutating func lookClosely(_ end: inout Int) -> Bool {
    guard let check = URLValidator(url), check.items <= RouteLimits.queryItems else { return false }
    isPlain = check.isPlain
    end = min(check.query, check.fragment)
    if check.query < url.count { query = (check.query &+ 1)..<check.fragment }
    if check.fragment < url.count { fragment = check.fragment &+ 1 }
    return true
  }

  /// The token of a text that may be encoded, or folded.
  mutating func encodedToken(_ start: Int, _ end: Int, _ form: Normalization) -> MatchToken {
    var isWritten = true
    for position in start..<end {
      let byte = url.base[position]
      if byte == UInt8(ascii: "%") || (form.foldsCase && byte.foldedASCII != byte) { isWritten = false }
    }
    let key =
      isWritten ? url.key(start, end) : url.key(start, end, form)
    return MatchToken(key: key, start: start, end: end, isWritten: isWritten)
  }
}
