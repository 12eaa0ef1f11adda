// SPDX-License-Identifier: Apache-2.0
/// A template for a URL, split into the components of a URL.
///
/// RFC 3986, section 3.
package struct URLTemplate {
  /// A part of the received URL that a placeholder inserts unchanged.
  package enum Part: String, Hashable, Sendable {
    case scheme, host, path, query, fragment

    /// The sentence about a placeholder at another position than its own.
    var rule: String {
      let place =
        switch self {
        case .scheme: "the scheme"
        case .host: "the host, without a port because it includes that"
        case .path: "a whole segment of the path"
        case .query: "a whole item of the query"
        case .fragment: "the whole fragment"
        }
      return "`{@\(rawValue)}` can only be \(place) of a URL: "
        + "`{@scheme}://{@host}/{@path}?{@query}#{@fragment}` is the URL itself"
    }

    /// Returns the text of this part of a URL; `nil` if the URL has none, or if programs could find different hosts in it.
    func text(of url: String) -> String? {
      let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
      var rest = url.utf8[scheme.endIndex...].dropFirst()
      var authority: Substring.UTF8View?
      if rest.starts(with: "//".utf8) {
        let found = rest.dropFirst(2).prefix { !"/?#\\".utf8.contains($0) }
        rest = rest[found.endIndex...]
        let isClear = rest.first != UInt8(ascii: "\\") && !found.contains(UInt8(ascii: "@"))
        authority = isClear ? found : nil
      }
      let body = rest.prefix { $0 != UInt8(ascii: "#") }
      let path = body.prefix { $0 != UInt8(ascii: "?") }
      let part: Substring.UTF8View? =
        switch self {
        case .scheme: scheme
        case .host: authority
        case .path: path.first == UInt8(ascii: "/") ? path.dropFirst() : path
        case .query: path.endIndex == body.endIndex ? nil : body[path.endIndex...].dropFirst()
        case .fragment: body.endIndex == rest.endIndex ? nil : rest[body.endIndex...].dropFirst()
        }
      return part.map { String(decoding: $0, as: UTF8.self) }
    }
  }

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

  /// Returns the first part of the received URL that is not at its own position in a template, with its offset; `nil` if there is none.
  static func misplacedPart(
    in elements: [ActionTemplate.Element], isURL: Bool
  ) -> (part: Part, offset: Int)? {
    func holes(_ elements: some Sequence<ActionTemplate.Element>) -> [(part: Part, offset: Int)] {
      elements.compactMap { element in
        guard case .hole(let hole) = element, case .part(let part) = hole.filling else { return nil }
        return (part, hole.offset)
      }
    }
    let all = holes(elements)
    guard isURL, !all.isEmpty else { return all.first }
    let template = URLTemplate(elements)
    let authority = template.head.dropFirst((elements.scheme ?? 0) + 3)
    var placed: Set<Int> = []
    func place(_ part: Part, _ elements: ArraySlice<ActionTemplate.Element>) {
      guard let hole = elements.onlyHole, hole.filling == .part(part) else { return }
      placed.insert(hole.offset)
    }
    place(.scheme, template.head.prefix(elements.scheme ?? 0))
    if template.hasAuthority { place(.host, authority) }
    for segment in template.path.split(separator: .byte(UInt8(ascii: "/"))) { place(.path, segment) }
    for item in template.query?.split(separator: .byte(UInt8(ascii: "&"))) ?? [] { place(.query, item) }
    place(.fragment, template.fragment ?? [])
    return all.first { !placed.contains($0.offset) }
  }
}
