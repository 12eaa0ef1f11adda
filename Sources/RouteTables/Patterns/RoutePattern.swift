// SPDX-License-Identifier: Apache-2.0
/// A pattern that matches URLs, such as `https://{tenant}.forge.example/issues/{n:uint}?tab={tab?}`.
///
/// ```swift
/// let pattern = try RoutePattern("notes://note/{id:int}?tab={tab?}")
/// pattern.captures.map(\.name)  // ["id", "tab"]
/// ```
///
/// A pattern that begins with `/` matches under any scheme and host, and one that begins with `*:` under any scheme, for the URLs
/// that have no slash after the scheme. With `{!https|mailto}:` instead of `*:`, or in front of the `/`, it matches under any scheme
/// except these. Two patterns are equal if their normal forms are: `HTTPS://a.example:443` equals `https://a.example/`.
public struct RoutePattern: Hashable, Sendable {
  package struct Authority: Hashable, Sendable {
    /// The wildcard before the labels.
    enum Lead: Hashable, Sendable {
      case none
      /// `*.`: one or more labels.
      case labels
      /// `*`: any host.
      case any
    }

    enum Port: Hashable, Sendable {
      /// `:*`
      case any
      /// The allowed ports; `nil` is the scheme's default port, or no port.
      case numbers([UInt16?])

      /// The default port of the scheme, or no port.
      static let usual = Port.numbers([nil])
    }

    /// The required user before `@`; `nil` if the URL must have no user.
    var user: PatternPart?
    var lead = Lead.none
    /// The labels from the left; an IP address is one label, and an empty host has none.
    var labels: [PatternPart] = []
    var port = Port.usual
  }

  /// The way in which a pattern is written, as far as its normal form does not contain it; all are equal.
  package struct WrittenForm: Hashable, Sendable {
    /// A Boolean value that indicates whether the text has a host and no path, not even a slash.
    package var endsBeforePath = false

    package static func == (lhs: WrittenForm, rhs: WrittenForm) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
  }

  package struct QueryItem: Hashable, Sendable {
    package enum Test: Hashable, Sendable {
      /// `k`
      case present
      /// `!k`
      case absent
      /// `k=…`
      case value(PatternPart)
    }

    /// The decoded key.
    package var key: [UInt8]
    package var test: Test

    package var value: PatternPart? {
      if case .value(let part) = test { part } else { nil }
    }
  }

  /// The schemes in lower case; empty if the pattern matches under any scheme and, if it is rooted, any host.
  package var schemes: [String] = []
  /// The schemes under which a pattern without `schemes` does not match, in lower case and sorted.
  package var excludedSchemes: [String] = []
  package var authority: Authority?
  package var segments: [PatternPart] = []
  package var query: [QueryItem] = []
  package var fragment: PatternPart?
  package var writtenForm = WrittenForm()

  /// The captures, in the order of the pattern's text.
  public internal(set) var captures: [RouteCapture] = []
  package var isRooted = true
  /// The options for the interpretation of URLs.
  public let options: RouteOptions

  init(options: RouteOptions) { self.options = options }

  /// Returns whether the whole part is an optional capture, which in query and fragment does not restrict the match.
  package func isOptional(_ part: PatternPart) -> Bool {
    part.wholeCapture.map { captures[$0].isOptional } ?? false
  }

  /// Returns whether the part is a catch-all.
  package func isRest(_ part: PatternPart) -> Bool {
    part.wholeCapture.map { captures[$0].extent == .rest } ?? false
  }

  /// The schemes that the pattern names, in lower case; empty if it holds under any scheme.
  public var schemeNames: [String] { schemes }

  /// Returns whether the pattern can match URLs of `scheme`, in lower case: it has this scheme, or none and does not exclude it.
  public func mayMatch(scheme: String) -> Bool {
    schemes.isEmpty ? !excludedSchemes.contains(scheme) : schemes.contains(scheme)
  }
}
