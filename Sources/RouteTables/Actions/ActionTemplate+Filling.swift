extension ActionTemplate {
  /// The text with its holes filled.
  ///
  /// `url` is the URL as it came; `source` the application that asked, where it is known. What is absent and has no
  /// default leaves out the query item, the fragment or the whole path segment of a URL in which it stands. `nil` if it
  /// stands anywhere else (the argv element is left out), or if what it says cannot stand there: `..` as a segment.
  public func filled<Action>(by match: RouteMatch<Action>, url: String, source: String? = nil) -> String? {
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
    // Without an authority, `//` would make one.
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
        // As in a pattern, what is absent takes its slash along.
        guard let found = values.texts(of: hole) else { continue }
        texts = found.map(\.encodedForPath)
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

/// What the holes of a template are filled with.
private struct HoleValues<Action: Sendable> {
  private let match: RouteMatch<Action>
  private let url: String
  private let source: String?

  init(_ match: RouteMatch<Action>, url: String, source: String?) {
    self.match = match
    self.url = url
    self.source = source
  }

  /// The texts of a rest in the path, or the one text of anything else; `nil` if it is absent.
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
    }
  }

  /// The bytes as they are, the holes encoded; `nil` if one is absent.
  func fill(_ elements: ArraySlice<ActionTemplate.Element>, _ encode: (String) -> String) -> String? {
    var bytes: [UInt8] = []
    for element in elements {
      switch element {
      case .byte(let byte): bytes.append(byte)
      case .hole(let hole):
        guard let text = text(of: hole) else { return nil }
        bytes += encode(text).utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ArraySlice<ActionTemplate.Element> {
  /// The hole, where there is nothing else.
  var onlyHole: ActionTemplate.Hole? {
    if count == 1, case .hole(let hole)? = first { hole } else { nil }
  }
}

extension RoutePattern {
  /// Whether the capture `name` takes the segments of a path.
  func isPathRest(_ name: String) -> Bool {
    segments.contains { part in
      part.wholeCapture.map { captures[$0].name == name && captures[$0].extent == .rest } ?? false
    }
  }
}
