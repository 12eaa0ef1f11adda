// SPDX-License-Identifier: Apache-2.0
import TestSupport

import Foundation

/// A URL as values that never were text, for the naive matcher.
///
/// Its text is written in random equivalent spellings.
struct NaiveURL {
  var scheme: String?
  var user: String?
  var labels: [String]?
  var port: Int?
  var isRooted = true
  var segments: [String] = []
  var query: [(key: String, value: String?)] = []
  var fragment: String?
  /// A Boolean value that is `true` if a space in the query is written as `+`.
  var spacesArePlus = false
  /// The segments of the text after the scheme, as written.
  private(set) var joined: [String]?

  /// The query if `+` is literal.
  var literalQuery: [(key: String, value: String?)] {
    guard spacesArePlus else { return query }
    return query.map { ($0.key.replacing(" ", with: "+"), $0.value?.replacing(" ", with: "+")) }
  }

  static let texts = [
    "a", "b", "7", "-1", "é", "a/b", "", "18446744073709551615", "A", "ab", "va", "a-b-7", "az", "true", "bB",
  ]

  /// Returns a random URL over a small alphabet, so that routes often match.
  static func random(_ random: inout SeededGenerator) -> NaiveURL {
    var url = NaiveURL()
    url.spacesArePlus = random.oneIn(2)
    if !random.oneIn(6) {
      url.scheme = random.pick(["a", "https"])
      if !random.oneIn(4) {
        url.labels = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          random.pick(["h", "g", "7", "a", "b"])
        }
        if url.labels?.isEmpty == false, random.oneIn(4) { url.port = random.pick([443, 8080]) }
        if url.labels?.isEmpty == false, random.oneIn(8) { url.user = random.pick(["u", "v:w", ""]) }
      } else {
        url.isRooted = random.oneIn(2)
      }
    }
    let count = Int.random(in: 1...4, using: &random)
    url.segments = (0..<count).map { _ in random.pick(texts) }
    url.settle()
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      url.query.append(
        (random.pick(["k", "l", "m n", "m+n"]), random.pick([nil, "", "1", "x y", "-1", "a", "+"])))
    }
    if random.oneIn(3) { url.fragment = random.pick(["", "f", "1", "a/b"]) }
    return url
  }

  /// Changes the parts that a URL cannot represent, such as a leading `//` without an authority.
  mutating func settle() {
    if segments.isEmpty { segments = [""] }
    // URLs of the web need a host.
    if scheme == "https" {
      if labels?.allSatisfy(\.isEmpty) != false { labels = ["h"] }
      labels = labels?.map { $0.allSatisfy(\.isASCII) ? $0 : "h" }
      isRooted = true
    }
    // A host that ends in a number must be an address.
    if scheme == "https", let count = labels?.count, count > 0,
      count != 4 || labels?.allSatisfy({ UInt8($0) != nil }) == false,
      let last = labels?.last, Int(last) != nil
    {
      labels?[count - 1] = "h"
    }
    // Four numbers are an address, which is one label.
    if let labels, labels.count == 4, labels.allSatisfy({ UInt8($0) != nil }) {
      self.labels = [labels.joined(separator: ".")]
    }
    if labels == nil, segments[0].isEmpty, segments.count > 1 || !isRooted { segments[0] = "a" }
  }

  /// Returns the URL as text, in which encoding and case vary if they have no meaning.
  mutating func text(_ random: inout SeededGenerator) -> String {
    var text = ""
    if let scheme { text += (random.oneIn(3) ? scheme.uppercased() : scheme) + ":" }
    if let labels {
      text += "//"
      if let user { text += encode(user, &random) + "@" }
      text += labels.map { random.oneIn(3) ? $0.uppercased() : encode($0, &random) }.joined(separator: ".")
      if let port { text += ":" + (random.oneIn(3) ? "0" : "") + String(port) }
    }
    let path = segments.map { encode($0, &random) }.joined(separator: "/")
    if isRooted {
      text += random.oneIn(6) && labels != nil ? "/gone/%2E." : ""
      text += labels != nil && segments == [""] && random.oneIn(2) && !text.hasSuffix(".") ? "" : "/"
    }
    text += path
    if scheme != nil { joined = Self.joined(text) }
    if !query.isEmpty { text += "?" }
    text += query.map {
      encode($0.key, isQuery: true, &random)
        + ($0.value.map { "=" + encode($0, isQuery: true, &random) } ?? "")
    }
    .joined(separator: random.oneIn(4) ? "&&" : "&")
    if let fragment { text += "#" + encode(fragment, &random) }
    return text
  }

  private static func joined(_ text: String) -> [String] {
    var rest = text.drop { $0 != ":" }.dropFirst()
    for _ in 0..<3 where rest.first == "/" { rest = rest.dropFirst() }
    var kept: [String] = []
    let segments = rest.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let own = segment.removingPercentEncoding ?? ""
      if own == ".." { _ = kept.popLast() }
      if own != "..", own != "." { kept.append(own) } else if index == segments.count - 1 { kept.append("") }
    }
    return kept
  }

  private func encode(_ value: String, isQuery: Bool = false, _ random: inout SeededGenerator) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      if isQuery, scalar == " ", spacesArePlus {
        text += "+"
        continue
      }
      let isPlain = scalar != " " && scalar != "/" && !(isQuery && scalar == "+")
      if isPlain, !random.oneIn(4) {
        text.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 {
          let hex = String(byte, radix: 16, uppercase: random.oneIn(2))
          text += "%" + (hex.count < 2 ? "0" : "") + hex
        }
      }
    }
    return text
  }
}
