// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A request whose components are chosen one by one.
package struct PartialRequest {
  var form = RequestSet.Form.bare
  var scheme: String?
  /// Indicates whether the URL denotes a file of this machine, which is compared in normal form.
  var isLocalFile = false
  var user: [UInt8]?
  var labels: [[UInt8]] = []
  var port: UInt16?
  var segments: [[UInt8]] = []
  /// The items of the query; in a value, `RegularLanguage.writtenPlus` represents an unencoded `+`.
  var items: [(key: [UInt8], value: [UInt8]?)] = []
  var fragment: [UInt8]?
  var context: [String: String] = [:]

  /// Indicates whether the request is within the limits for URLs.
  var isWithinLimits: Bool {
    items.count <= RouteLimits.queryItems && segments.count <= RouteLimits.segments
      && labels.count <= RouteLimits.labels && url.utf8.count <= RouteLimits.bytes
  }

  /// Indicates whether the URL can be parsed.
  var isReadable: Bool { (try? ParsedURL(url.utf8.span)) != nil }

  package var request: RouteRequest { RouteRequest(url: url, context: context) }

  /// The segments of a pattern that reads the authority as the first segment.
  var segmentsWithAuthority: [[UInt8]] {
    let host =
      Array(labels.joined(separator: [UInt8(ascii: ".")])) + Array(endOfNumbers.utf8)
      + (port.map { Array(":\($0)".utf8) } ?? [])
    let authority = (user.map { $0 + [UInt8(ascii: "@")] } ?? []) + host
    return (authority.isEmpty ? [] : [authority]) + segments
  }

  /// A trailing dot if the labels would otherwise be read as one IPv4 address; empty if not.
  private var endOfNumbers: String {
    labels.count > 1 && HostAddress.isIPv4(labels.joined(separator: [UInt8(ascii: ".")])) ? "." : ""
  }

  private var url: String {
    var text = scheme.map { $0 + ":" } ?? ""
    let path = segments.map { RoutePattern.undoubled($0, reserved: "/?#%") }.joined(separator: "/")
    switch form {
    case .bare: text += "/" + path
    case .rootless: text += path
    // Here the first segment is what other patterns read as the host; a `file` URL has an empty host before its path.
    case .rooted where scheme.map(ParsedURL.isSpecial) == true:
      text += (scheme == "file" ? "///" : "//") + path
    // A path that begins with two slashes would be read as a host.
    case .rooted: text += (path.hasPrefix("/") ? "/./" : "/") + path
    case .host:
      text += "//" + (user.map { RoutePattern.undoubled($0, reserved: "/?#%@") + "@" } ?? "")
      text += labels.map { RoutePattern.undoubled($0, reserved: "%/?#") }.joined(separator: ".")
      text += endOfNumbers + (port.map { ":\($0)" } ?? "") + "/" + path
    }
    if !items.isEmpty {
      text +=
        "?"
        + items.map { key, value in
          RoutePattern.undoubled(key, reserved: "&=#%+")
            + (value.map { "=" + Self.written($0) } ?? "")
        }.joined(separator: "&")
    }
    return text + (fragment.map { "#" + RoutePattern.undoubled($0, reserved: "%") } ?? "")
  }
  private static func written(_ value: [UInt8]) -> String {
    value.split(separator: RegularLanguage.writtenPlus, omittingEmptySubsequences: false).map {
      RoutePattern.undoubled(Array($0), reserved: "&#%+")
    }.joined(separator: "+")
  }
}
