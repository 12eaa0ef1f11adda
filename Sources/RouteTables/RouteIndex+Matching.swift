extension RouteIndex {
  /// A component of a URL as the walk meets it.
  private struct Token {
    let label: Label
    /// The text that a capture could take; `nil` for a mark and for the empty text.
    let text: URLText?
    let form: TextForm
  }

  /// The shape that wins, or `nil` if none matches.
  func firstShape(matching parts: URLParts, _ bytes: borrowing Span<UInt8>) -> Int? {
    // User information matches only where it is written, which this version's patterns cannot do.
    if parts.authority?.hasUserInfo == true { return nil }
    var tokens: [Token] = []
    if let scheme = parts.scheme { appendAuthority(of: parts, scheme, to: &tokens, bytes) }
    let path = tokens.count
    tokens.append(Self.mark(parts.isRooted ? .rooted : .rootless))
    for segment in parts.segments { tokens.append(token(segment, .path, bytes)) }

    var query = URLQuery(parts)
    if parts.scheme != nil, let shape = walk(from: 0, tokens[...], &query, bytes) { return shape }
    guard let start = node(after: 0, .anyScheme) else { return nil }
    return walk(from: start, tokens[path...], &query, bytes)
  }

  private func appendAuthority(
    of parts: URLParts, _ scheme: URLText, to tokens: inout [Token], _ bytes: borrowing Span<UInt8>
  ) {
    // No capture can stand for a scheme: only its label counts.
    tokens.append(Self.mark(Label(symbols.symbol(of: scheme, in: bytes, form: .host))))
    guard let authority = parts.authority else { return tokens.append(Self.mark(.noAuthority)) }
    tokens.append(Self.mark(.authority))
    for label in authority.labels.reversed() { tokens.append(token(label, .host, bytes)) }
    tokens.append(Self.mark(Label(port: authority.port)))
  }

  private static func mark(_ label: Label) -> Token { Token(label: label, text: nil, form: .path) }

  private func token(_ text: URLText, _ form: TextForm, _ bytes: borrowing Span<UInt8>) -> Token {
    let symbol = symbols.symbol(of: text, in: bytes, form: form)
    return Token(label: Label(symbol), text: text.isEmpty ? nil : text, form: form)
  }

  /// Goes depth first, the narrowest child in front; a child left behind is on the stack.
  private func walk(
    from start: UInt32, _ tokens: ArraySlice<Token>, _ query: inout URLQuery, _ bytes: borrowing Span<UInt8>
  ) -> Int? {
    var stack = [(node: start, token: tokens.startIndex)]
    while let (node, index) = stack.popLast() {
      guard index < tokens.endIndex else {
        for shape in nodes[Int(node)].shapes where query.holds(for: shapes[shape], self, bytes) {
          return shape
        }
        continue
      }
      let token = tokens[index]
      if let text = token.text {
        for hole in nodes[Int(node)].holes.reversed()
        where token.form.takes(text, of: bytes, in: languages[hole.language]) {
          stack.append((hole.node, index + 1))
        }
      }
      if let next = self.node(after: node, token.label) { stack.append((next, index + 1)) }
    }
    return nil
  }
}
