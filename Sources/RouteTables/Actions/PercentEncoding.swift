// SPDX-License-Identifier: Apache-2.0
import PercentEncoding

extension String {
  /// Returns the text with all bytes percent-encoded except unreserved ones and those in `kept`.
  ///
  /// RFC 3986, section 2.
  func encoded(keeping kept: StaticString) -> String { PercentEncoding.encode(self, keeping: kept) }

  /// The text encoded for one segment of a path.
  var encodedForPath: String { encoded(keeping: "!$&'()*+,;=:@") }

  /// The text encoded for an authority; an IP literal in brackets is not encoded.
  var encodedForAuthority: String {
    let isAddress = utf8.first == UInt8(ascii: "[") && utf8.last == UInt8(ascii: "]")
    let kept = utf8.dropFirst().dropLast()
    if isAddress,
      kept.allSatisfy({ $0.hexValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
    {
      return self
    }
    return encoded(keeping: "")
  }

  /// Returns the URL without the query items whose decoded key is in `names`; a `*` at the end of a name matches any suffix.
  func withoutQueryItems(named names: [String]) -> String {
    let bytes = Array(utf8)
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    guard let question = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) else { return self }
    let form = Normalization.query(scheme: foldedScheme)
    func isDropped(_ item: ArraySlice<UInt8>) -> Bool {
      let key = item.prefix { $0 != UInt8(ascii: "=") }
      let decoded = form.decode(URLSlice(key.startIndex..<key.endIndex), of: utf8.span)
      return names.contains { decoded.isQueryKey(named: $0) }
    }
    let kept = bytes[(question + 1)..<end].split(
      separator: UInt8(ascii: "&"), omittingEmptySubsequences: false
    )
    .filter { !isDropped($0) }
    let query = kept.isEmpty ? [] : [UInt8(ascii: "?")] + Array(kept.joined(separator: [UInt8(ascii: "&")]))
    return String(decoding: bytes[..<question] + query + bytes[end...], as: UTF8.self)
  }
}

extension Sequence<UInt8> {
  /// Returns whether a decoded key has a name; a `*` at the end of the name matches any suffix.
  func isQueryKey(named name: String) -> Bool {
    name.utf8.last == UInt8(ascii: "*") ? starts(with: name.utf8.dropLast()) : elementsEqual(name.utf8)
  }
}
