/// A URL cut into its components for one match: numbers, and tokens in a buffer that the caller lends.
struct URLScan {
  enum Outcome {
    case read
    /// There are more labels and segments than the buffer has room for.
    case full
    /// It is no URL, or beyond the limits; `URLParts` says why.
    case invalid
  }

  let url: URLBytes
  let tokens: UnsafeMutablePointer<MatchToken>
  let capacity: Int
  /// Whether nothing in the URL is encoded.
  var isPlain = true

  /// Where the scheme ends; 0 in a bare path.
  var schemeEnd = 0
  var scheme = MatchToken(key: 0, start: 0, end: 0, isWritten: true)
  /// The mark of what follows the scheme.
  var opening: UInt32 = 2
  /// The tokens of the host from the left are the first ones.
  var labelCount = 0
  /// The mark of the port and the user.
  var port: UInt32 = 0
  var user = MatchToken(key: 0, start: 0, end: 0, isWritten: true)
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

  init(_ url: URLBytes, _ tokens: UnsafeMutablePointer<MatchToken>, _ capacity: Int) {
    self.url = url
    self.tokens = tokens
    self.capacity = capacity
  }

  /// Cuts a URL, or a bare path that begins with `/`.
  @inline(__always)
  mutating func read() -> Outcome {
    let count = url.count
    guard count > 0, count <= RouteLimits.bytes else { return .invalid }
    var marks = URLMarks()
    marks.read(url)
    if marks.hasSpecial {
      guard URLCheck.isSound(url) else { return .invalid }
      isPlain = false
    }
    var position = 0
    if url.base[0] != UInt8(ascii: "/") {
      position = readScheme()
      guard position > 0 else { return .invalid }
      if position &+ 1 < count, url.base[position] == UInt8(ascii: "/"), url.base[position &+ 1] == UInt8(ascii: "/") {
        opening = 1
        let outcome = readAuthority(from: position &+ 2, end: &position)
        guard case .read = outcome else { return outcome }
      } else {
        opening = position < count && url.base[position] == UInt8(ascii: "/") ? 2 : 3
      }
    }
    var end = count
    if marks.hasQueryOrFragment {
      guard readTail(from: position, &end) else { return .invalid }
    }
    if opening != 3, position < end { position &+= 1 }
    path = position..<end
    return readSegments(position, end)
  }

  /// Finds the query and the fragment; `false` if there are too many items.
  @inline(never)
  private mutating func readTail(from start: Int, _ end: inout Int) -> Bool {
    var position = start
    while position < url.count {
      let byte = url.base[position]
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
      position &+= 1
    }
    end = position
    if position < url.count, url.base[position] == UInt8(ascii: "?") {
      let begin = position &+ 1
      var items = 1
      position = begin
      while position < url.count, url.base[position] != UInt8(ascii: "#") {
        if url.base[position] == UInt8(ascii: "&") { items &+= 1 }
        position &+= 1
      }
      query = begin..<position
      if items > RouteLimits.queryItems { return false }
    }
    if position < url.count { fragment = position &+ 1 }
    return true
  }

  /// The token of a text in normal form.
  @inline(__always)
  func token(_ start: Int, _ end: Int) -> MatchToken {
    if isPlain {
      return MatchToken(key: TextKey.key(url.base, start, end, limit: url.count), start: start, end: end, isWritten: true)
    }
    return encodedToken(start, end, .path)
  }

  /// The token of a text that may be encoded, or folded.
  @inline(never)
  func encodedToken(_ start: Int, _ end: Int, _ form: TextForm) -> MatchToken {
    var isWritten = true
    for position in start..<end {
      let byte = url.base[position]
      if byte == UInt8(ascii: "%") || (form.foldsCase && byte.foldedASCII != byte) { isWritten = false }
    }
    let key =
      isWritten ? TextKey.key(url.base, start, end, limit: url.count) : url.key(start, end, form)
    return MatchToken(key: key, start: start, end: end, isWritten: isWritten)
  }
}
