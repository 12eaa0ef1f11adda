// SPDX-License-Identifier: Apache-2.0
extension RoutePatternParser {
  /// Reads one part: adjacent literals, captures and choices.
  func part(
    _ elements: PatternElements, in component: PatternComponent, form: Normalization
  ) throws(RouteTableError) -> PatternPart {
    if elements.allSatisfy({ $0.isText }) { return .literal(try PatternText.literal(elements, form: form)) }
    var part = PatternPart()
    var rest = elements
    var capture: Int?  // the preceding capture, unless a literal follows it
    while let element = rest.first {
      switch element.content {
      case .byte, .brace:
        let text = rest.prefix { $0.isText }
        part.append(try PatternText.literal(text, form: form))
        rest = rest[text.endIndex...]
        capture = nil
        continue
      case .capture(let number):
        guard capture == nil else {
          throw RouteTableError(
            .invalidCapture(
              "two captures need a literal between them, otherwise their boundary is ambiguous"),
            at: element.offset)
        }
        capture = number
        try check(pattern.captures[number], isWhole: elements.count == 1, component, at: element.offset)
        part.append(capture: number)
      case .choice(let number):
        let alternatives = try choice(number, in: component, form: form)
        if !alternatives.contains(where: { $0 == [[]] }) { capture = nil }
        part.pieces.append(.choice(alternatives))
      }
      rest = rest.dropFirst()
    }
    if !part.isSplit { part.language = try pattern.language(of: part, in: component) }
    return part
  }

  private func choice(
    _ number: Int, in component: PatternComponent, form: Normalization
  ) throws(RouteTableError) -> [[[UInt8]]] {
    var alternatives: [[[UInt8]]] = []
    for elements in source.choices[number] {
      var texts: [[UInt8]] = []
      let own = component == .host ? elements[...].withDots : elements[...]
      let runs = component.separator.map { own.runs(between: $0) } ?? [own]
      for run in runs { texts.append(try PatternText.literal(run, form: form)) }
      guard !alternatives.contains(texts) else {
        let text = String(decoding: Array(texts.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self)
        throw RouteTableError(.duplicateValue(text), at: elements.first?.offset)
      }
      alternatives.append(texts)
    }
    return alternatives
  }

  /// Returns an error text for a misplaced capture whose type matches whole hosts.
  static func isWholeHost(_ type: RouteType) -> String {
    "has the type `\(type)`, which is a whole host: write `scheme://{name:\(type)}/`, without other text in the host"
  }

  /// Throws if a capture is not allowed in its component.
  private func check(
    _ capture: RouteCapture, isWhole: Bool, _ component: PatternComponent, at offset: Int
  ) throws(RouteTableError) {
    func refuse(_ sentence: String) -> RouteTableError {
      RouteTableError(.invalidCapture("`{\(capture.name)}` \(sentence)"), at: offset)
    }
    if capture.type.hosts != nil, component != .host || !isWhole || capture.extent != .single {
      throw refuse(Self.isWholeHost(capture.type))
    }
    switch (capture.extent, component) {
    case (.list, .query), (.rest, .path), (.rest, .host), (.single, _): break
    case (.list, .path):
      throw refuse(
        "is a list, which is valid only in the query: write the rest of a path as `{\(capture.name)...}`")
    case (.list, _):
      throw refuse("is a list, which is valid only in the query: write `key={\(capture.name)*}`")
    case (.rest, _):
      throw refuse("is a catch-all, which is valid only in the path or at the beginning of the host")
    }
    if capture.extent != .single, !isWhole {
      throw refuse("must be the only content of \(component.place)")
    }
    guard capture.isOptional else { return }
    guard isWhole else {
      throw refuse(
        "is optional and must be the only content of \(component.place): write a second pattern without it")
    }
    if component == .user || (component == .host && capture.extent == .single) {
      throw refuse("cannot be optional in \(component.place): write a second pattern")
    }
  }
}
