/// A URL cut into its components, as byte ranges: split first, nothing decoded yet.
///
/// RFC 3986, section 3.
struct ParsedURL: Sendable {
  /// What stands between `//` and the path.
  ///
  struct Authority: Sendable {
    /// The labels from the left; an IP address is one; an empty host has none.
    var labels: [URLSlice] = []
    /// The port, where it is not the scheme's default.
    var port: UInt16?
    /// What stands before `@`, be it empty; `nil` if there is none.
    var user: URLSlice?
  }

  /// The scheme; `nil` for a bare path.
  var scheme: URLSlice?
  /// `nil` where there is no `//`.
  var authority: Authority?
  /// Whether the path begins with `/`; under an authority the empty path does.
  var isRooted = false
  /// The segments; dot segments of a rooted path are gone.
  var segments: [URLSlice] = []
  /// The segments of all that follows the scheme and up to three slashes.
  var joinedSegments: [URLSlice] = []
  /// What stands after `?`.
  var query: URLSlice?
  /// What stands after `#`.
  var fragment: URLSlice?
  /// How keys and values of the query are read.
  var queryForm = Normalization.form

  /// The port that a scheme, already folded, has when none is written.
  static func defaultPort(of scheme: String) -> UInt16? {
    switch scheme {
    case "http", "ws": 80
    case "https", "wss": 443
    case "ftp": 21
    default: nil
    }
  }

  /// Returns whether URLs of a scheme, given in lower case, name a host or a local path.
  ///
  /// A host of theirs that ends in a number is an address.
  ///
  /// WHATWG URL, section 4.2, "special scheme".
  static func isSpecial(scheme: String) -> Bool { scheme == "file" || defaultPort(of: scheme) != nil }

  /// The port that digits say: `nil` for none, a failure for what is not one.
  ///
  /// Leading zeros count for nothing.
  static func port(_ digits: some Sequence<UInt8>) throws(RouteTableError) -> UInt16? {
    var value: UInt32?
    for digit in digits {
      guard digit.isASCIIDigit else { throw RouteTableError(.invalidPort) }
      value = (value ?? 0) * 10 + UInt32(digit - UInt8(ascii: "0"))
      guard let port = value, port <= UInt32(UInt16.max) else { throw RouteTableError(.invalidPort) }
    }
    return value.map { UInt16(truncatingIfNeeded: $0) }
  }
}

/// What a segment does to the path it stands in.
///
/// RFC 3986, section 5.2.4.
enum DotSegment {
  /// `.`: nothing.
  ///
  case current
  /// `..`: takes the segment before away.
  case parent

  /// What the decoded segment does; `nil` if it is an ordinary one.
  init?(_ decoded: [UInt8]) {
    switch decoded {
    case [UInt8(ascii: ".")]: self = .current
    case [UInt8(ascii: "."), UInt8(ascii: ".")]: self = .parent
    default: return nil
    }
  }
}
