// SPDX-License-Identifier: Apache-2.0
/// A template for a URL, split into the components of a URL.
///
/// RFC 3986, section 3.
struct URLTemplate {
  /// The scheme with its colon, and `//` with the authority if there is one.
  let head: ArraySlice<ActionTemplate.Element>
  let hasAuthority: Bool
  let path: ArraySlice<ActionTemplate.Element>
  let query: ArraySlice<ActionTemplate.Element>?
  let fragment: ArraySlice<ActionTemplate.Element>?

  init(_ elements: [ActionTemplate.Element]) {
    func at(_ index: Int, _ byte: Unicode.Scalar) -> Bool {
      index < elements.count && elements[index] == .byte(UInt8(ascii: byte))
    }
    func first(_ byte: Unicode.Scalar, in range: Range<Int>) -> Int? {
      elements[range].firstIndex(of: .byte(UInt8(ascii: byte)))
    }
    let hash = first("#", in: 0..<elements.count)
    fragment = hash.map { elements[($0 + 1)...] }
    let question = first("?", in: 0..<(hash ?? elements.count))
    query = question.map { elements[($0 + 1)..<(hash ?? elements.count)] }
    let end = question ?? hash ?? elements.count
    var begin = min(end, elements.scheme.map { $0 + 1 } ?? 0)
    hasAuthority = at(begin, "/") && at(begin + 1, "/") && begin + 1 < end
    if hasAuthority { begin = first("/", in: (begin + 2)..<end) ?? end }
    head = elements[..<begin]
    path = elements[begin..<end]
  }
}
