// SPDX-License-Identifier: Apache-2.0
/// A reader of the texts that the captures of the winning pattern match in a URL.
package struct CaptureReader {
  private let pattern: RoutePattern
  private let form: PatternVariant
  private let url: String
  private var slots: [CaptureSlot?]

  /// Returns the text of each capture of `pattern` in a URL that `form` matches.
  ///
  /// The elements are in the order of `pattern.captures`; an element is `nil` if its capture is absent. The result is empty
  /// if
  /// the pattern has no captures or the URL cannot be read.
  package static func slots(of pattern: RoutePattern, _ form: PatternVariant, in url: String)
    -> [CaptureSlot?]
  {
    guard !pattern.captures.isEmpty, let parts = try? ParsedURL(url.utf8.span) else { return [] }
    var reader = CaptureReader(
      pattern: pattern, form: form, url: url, slots: pattern.captures.map { _ in nil })
    reader.read(parts)
    return reader.slots
  }

  private mutating func read(_ parts: ParsedURL) {
    if let authority = parts.authority, form.opening == .host {
      if let user = form.user, let text = authority.user { read(user, text, form: .path, folds: false) }
      let labels = authority.labels.suffix(form.labels.count)
      for (part, text) in zip(form.labels, labels) { read(part, text, form: .host, folds: false) }
      if let number = form.hostCapture {
        slots[number] = .part(
          authority.labels.map { Normalization.host.string($0, in: url) }.joined(separator: "."))
      }
      if let number = form.hostRest?.capture {
        slots[number] = .texts(Array(authority.labels.dropLast(form.labels.count)), .host, joiner: ".")
      }
    }
    readPath(form.opening == .joinedPath ? parts.joinedSegments : parts.segments)
    let queryForm = pattern.options.plus == .literal ? .path : parts.queryForm
    for item in pattern.query {
      if let value = item.value { readQuery(item.key, part: value, form: queryForm, query: parts.query) }
    }
    if let part = pattern.fragment, let text = parts.fragment {
      if let number = part.wholeCapture {
        read(number, text, form: .path)
      } else {
        read(part, text, form: .path, folds: false)
      }
    }
  }

  private mutating func readPath(_ segments: [URLSlice]) {
    let path = form.path(of: pattern)
    let folds = pattern.options.ignoresCase
    for (part, text) in zip(path.prefix, segments) { read(part, text, form: .path, folds: folds) }
    guard let rest = path.rest else { return }
    for (part, text) in zip(path.suffix.reversed(), segments.reversed()) {
      read(part, text, form: .path, folds: folds)
    }
    let middle = segments.dropFirst(path.prefix.count).dropLast(path.suffix.count)
    guard let second = path.secondRest else {
      slots[rest] = .texts(Array(middle), .path, joiner: "/")
      return
    }
    var start = middle.startIndex + 1
    while start + path.anchor.count < middle.endIndex {
      let own = middle[start...].prefix(path.anchor.count)
      let tail = middle[(start + path.anchor.count)...]
      if zip(path.anchor, own).allSatisfy({ takes($0, $1, folds: folds) }),
        tail.allSatisfy({ takes(second, $0, form: .path) })
      {
        break
      }
      start += 1
    }
    guard start + path.anchor.count < middle.endIndex else { return }
    slots[rest] = .texts(Array(middle[..<start]), .path, joiner: "/")
    for (part, text) in zip(path.anchor, middle[start...]) { read(part, text, form: .path, folds: folds) }
    slots[second] = .texts(Array(middle[(start + path.anchor.count)...]), .path, joiner: "/")
  }

  private func takes(_ part: PatternPart, _ text: URLSlice, folds: Bool) -> Bool {
    if let literal = part.literal {
      let own = Normalization.path.decode(text, of: url.utf8.span)
      return folds ? own.map(\.foldedASCII) == literal.map(\.foldedASCII) : own == literal
    }
    if let number = part.wholeCapture { return !text.isEmpty && takes(number, text, form: .path) }
    let language = try? pattern.language(of: part, in: .path)
    return language.map { Normalization.path.takes(text, of: url.utf8.span, in: $0) } ?? false
  }

  private func takes(_ capture: Int, _ text: URLSlice, form: Normalization) -> Bool {
    form.takes(text, of: url.utf8.span, in: pattern.captures[capture].type.language)
  }

  /// Reads an optional value, which is absent if its text does not belong to the type of the capture.
  private mutating func read(_ capture: Int, _ text: URLSlice, form: Normalization) {
    if takes(capture, text, form: form) { slots[capture] = .text(text, form) }
  }

  private mutating func read(_ part: PatternPart, _ text: URLSlice, form: Normalization, folds: Bool) {
    if let number = part.wholeCapture {
      slots[number] = .text(text, form)
    } else if !part.captures.isEmpty {
      let text = form.string(text, in: url)
      for (number, own) in PartReader(part, pattern, folds: folds).read(text) { slots[number] = .part(own) }
    }
  }

  private mutating func readQuery(
    _ key: [UInt8], part: PatternPart, form: Normalization, query: URLSlice?
  ) {
    var cursor = query.map { QueryCursor($0) }
    var texts: [URLSlice] = []
    while let item = cursor?.next(url.utf8.span) {
      if form.equals(item.key, of: url.utf8.span, key) { texts.append(item.value ?? item.noValue) }
    }
    guard let first = texts.first else { return }
    guard let number = part.wholeCapture else { return read(part, first, form: form, folds: false) }
    guard pattern.captures[number].extent == .list else { return read(number, first, form: form) }
    texts.removeAll { !takes(number, $0, form: form) }
    if !texts.isEmpty { slots[number] = .texts(texts, form, joiner: nil) }
  }
}
