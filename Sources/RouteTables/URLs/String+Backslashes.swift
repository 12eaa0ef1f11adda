// SPDX-License-Identifier: Apache-2.0
/// The two readings of a URL with a `\` under a scheme that browsers do not know.
///
/// Browsers treat the `\` as an ordinary character there. Programs that also open paths of other systems treat it as a `/`.
extension String {
  /// The URL with each `\` as `%5C`; `nil` if it has none, is a bare path, or has a special scheme.
  @usableFromInline
  package var encodingBackslashes: String? { replacingBackslashes { _ in true } }

  /// The URL with each `\` before its query and fragment as `/`, and each other one as `%5C`; `nil` if it has none, is a
  /// bare path, or has a special scheme.
  package var readingBackslashesAsSlashes: String? {
    let end = utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? utf8.endIndex
    return replacingBackslashes { $0 >= end }
  }

  /// A Boolean value that indicates whether the host or port has a `%5C`; `false` if only the user information has one.
  var hasEncodedBackslashInHost: Bool {
    hostAndPort.map { Substring($0).contains("%5C") } ?? false
  }

  /// Returns the URL with `%5C` or `/` for each `\`.
  private func replacingBackslashes(areEncoded: (Index) -> Bool) -> String? {
    guard utf8.contains(UInt8(ascii: "\\")), let scheme = foldedScheme, !ParsedURL.isSpecial(scheme: scheme)
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for index in utf8.indices {
      switch utf8[index] {
      case UInt8(ascii: "\\") where areEncoded(index): bytes += "%5C".utf8
      case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "/"))
      case let byte: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
