// SPDX-License-Identifier: Apache-2.0
extension ActionTemplate {
  /// Returns the text with its placeholders filled, or `nil` if it cannot be filled.
  ///
  /// With ``unwrapping``, the result is `nil` if the query item is not a URL.
  ///
  /// In a URL, a placeholder without a text and without a default removes the query item, fragment or whole path segment that
  /// contains it. At any other position the result is `nil`, and an argv element with this result is omitted. The result is
  /// also `nil` if a text is not allowed at its position, such as `..` as a segment.
  ///
  /// - Parameters:
  ///   - url: the URL as the broker received it.
  ///   - source: the ID of the source application, if it is known.
  public func filled<Action>(by match: RouteMatch<Action>, url: String, source: String? = nil) -> String? {
    if let unwrapping {
      guard let url = try? URLString(url), case .success(let inner) = url.unwrapped(from: unwrapping) else {
        return nil
      }
      return inner.text
    }
    let values = HoleValues(match, url: url, source: source)
    guard isURL else { return values.fill(elements[...]) { $0 } }
    guard let filled = text == "{@url}" ? url : self.url(values) else { return nil }
    return dropping.isEmpty ? filled : filled.withoutQueryItems(named: dropping)
  }

  private func url<Action>(_ values: HoleValues<Action>) -> String? {
    let parts = URLTemplate(elements)
    guard let head = values.fill(parts.head, { $0.encodedForAuthority }),
      let path = path(parts.path, values)
    else { return nil }
    // Without an authority, a path that begins with `//` would be parsed as one.
    guard parts.hasAuthority || !path.utf8.starts(with: "//".utf8) else { return nil }
    var text = head + path
    let items = parts.query?.split(separator: .byte(UInt8(ascii: "&")), omittingEmptySubsequences: false)
      .compactMap { values.fill($0) { $0.encoded(keeping: "/:@,") } }
    if let items, !items.isEmpty { text += "?" + items.joined(separator: "&") }
    if let fragment = parts.fragment,
      let filled = values.fill(fragment, { $0.encoded(keeping: "!$&'()*+,;=:@/?") })
    {
      text += "#" + filled
    }
    return text
  }

  private func path<Action>(_ path: ArraySlice<Element>, _ values: HoleValues<Action>) -> String? {
    var segments: [String] = []
    for run in path.split(separator: .byte(UInt8(ascii: "/")), omittingEmptySubsequences: false) {
      var texts: [String]
      if let hole = run.onlyHole {
        // As in a pattern, an absent segment is removed together with its slash.
        guard let found = values.texts(of: hole) else { continue }
        texts = hole.isPart ? found : found.map(\.encodedForPath)
      } else {
        guard let text = values.fill(run, { $0.encodedForPath }) else { return nil }
        texts = [text]
      }
      let isLiteral = run.allSatisfy { if case .byte = $0 { true } else { false } }
      guard isLiteral || !texts.contains(where: { $0 == "." || $0 == ".." }) else { return nil }
      segments += texts
    }
    return segments.joined(separator: "/")
  }
}

/// The texts for the placeholders of a template.
private struct HoleValues<Action: Sendable> {
  private let match: RouteMatch<Action>
  private let url: String
  private let source: String?

  init(_ match: RouteMatch<Action>, url: String, source: String?) {
    self.match = match
    self.url = url
    self.source = source
  }

  /// Returns the segments of a catch-all in the path, or the single text of any other placeholder; `nil` if it is absent.
  func texts(of hole: ActionTemplate.Hole) -> [String]? {
    if case .capture(let name) = hole.filling, match.pattern.isPathRest(name), let list = match[list: name] {
      return Array(list)
    }
    return text(of: hole).map { [$0] }
  }

  private func text(of hole: ActionTemplate.Hole) -> String? {
    switch hole.filling {
    case .capture(let name): match[name] ?? hole.defaultValue
    case .url: url
    case .source: source ?? hole.defaultValue
    case .part(let part): part.text(of: url)
    }
  }

  /// Returns the literal bytes and parts of the URL unchanged and the other placeholders encoded; `nil` if the text of a placeholder is
  /// absent.
  func fill(_ elements: ArraySlice<ActionTemplate.Element>, _ encode: (String) -> String) -> String? {
    var bytes: [UInt8] = []
    for element in elements {
      switch element {
      case .byte(let byte): bytes.append(byte)
      case .hole(let hole):
        guard let text = text(of: hole) else { return nil }
        bytes += (hole.isPart ? text : encode(text)).utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ActionTemplate.Hole {
  /// Indicates whether it inserts a part of the URL unchanged.
  var isPart: Bool { if case .part = filling { true } else { false } }
}

extension ArraySlice<ActionTemplate.Element> {
  /// The placeholder, if it is the only element; otherwise `nil`.
  var onlyHole: ActionTemplate.Hole? {
    if count == 1, case .hole(let hole)? = first { hole } else { nil }
  }
}

extension RoutePattern {
  /// Returns whether the capture `name` is a catch-all in the path.
  func isPathRest(_ name: String) -> Bool {
    segments.contains { part in
      part.wholeCapture.map { captures[$0].name == name && captures[$0].extent == .rest } ?? false
    }
  }
}
