// SPDX-License-Identifier: Apache-2.0
/// A URL split into its components, as byte ranges that are not decoded.
///
/// RFC 3986, section 3.
package struct ParsedURL: Sendable {
  /// The component between `//` and the path.
  package struct Authority: Sendable {
    /// The labels from the left; an IP address is one label, and an empty host has none.
    package var labels: [URLSlice] = []
    /// The port; `nil` if it is missing or the scheme's default.
    package var port: UInt16?
    /// The text before `@`, which can be empty; `nil` if there is no `@`.
    package var user: URLSlice?
  }

  /// The scheme; `nil` for a bare path.
  package var scheme: URLSlice?
  /// The authority; `nil` if the URL has no `//`.
  package var authority: Authority?
  /// Indicates whether the path begins with `/`; an empty path after an authority counts as rooted.
  package var isRooted = false
  /// The segments; dot segments of a rooted path are resolved.
  package var segments: [URLSlice] = []
  /// The segments of everything between the scheme, with up to three slashes after it, and the query.
  package var joinedSegments: [URLSlice] = []
  /// The text after `?`; `nil` if there is no query.
  package var query: URLSlice?
  /// The text after `#`; `nil` if there is no fragment.
  package var fragment: URLSlice?
  /// The normalization of query keys and values.
  package var queryForm = Normalization.form

  /// Returns the default port of a scheme in lower case; `nil` if the scheme has none.
  package static func defaultPort(of scheme: String) -> UInt16? {
    switch scheme {
    case "http", "ws": 80
    case "https", "wss": 443
    case "ftp": 21
    default: nil
    }
  }

  /// Returns whether a scheme in lower case is special: its URLs name a host or a local path.
  ///
  /// The host of such a URL is an address if its last label is a number.
  ///
  /// WHATWG URL, section 4.2, "special scheme".
  static func isSpecial(scheme: String) -> Bool { scheme == "file" || defaultPort(of: scheme) != nil }

  /// Returns the value of a port's digits, or `nil` if there are no digits.
  ///
  /// Leading zeros are ignored. Throws `invalidPort` if the text is not a decimal number up to 65535.
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

/// The effect of a dot segment on its path.
///
/// RFC 3986, section 5.2.4.
package enum DotSegment {
  /// `.`, which has no effect.
  case current
  /// `..`, which removes the segment before it.
  case parent

  /// Creates the dot segment for a decoded segment; `nil` if the segment is an ordinary one.
  package init?(_ decoded: [UInt8]) {
    switch decoded {
    case [UInt8(ascii: ".")]: self = .current
    case [UInt8(ascii: "."), UInt8(ascii: ".")]: self = .parent
    default: return nil
    }
  }
}
