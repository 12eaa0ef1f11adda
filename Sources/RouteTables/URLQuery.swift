/// The query and the fragment of a URL as predicates see them: cut once, and only when a shape asks.
struct URLQuery {
  private let query: URLText?
  private let fragment: URLText?
  private let form: TextForm
  /// The first value of every key that a route of the table writes.
  private var firsts: [(key: SymbolTable.Symbol, value: URLText)]?

  init(_ parts: URLParts) {
    query = parts.query
    fragment = parts.fragment
    form = parts.queryForm
  }

  /// Whether the predicates of `shape` hold.
  mutating func holds(
    for shape: RouteShape, _ index: RouteIndex, _ bytes: borrowing Span<UInt8>
  ) -> Bool {
    if let test = shape.fragment {
      guard let fragment, Self.passes(fragment, .path, test, index.languages, bytes) else { return false }
    }
    if shape.predicates.isEmpty { return true }
    let values = readFirsts(index.symbols, bytes)
    for predicate in shape.predicates {
      guard let first = values.first(where: { $0.key == predicate.key }),
        Self.passes(first.value, form, predicate.test, index.languages, bytes)
      else { return false }
    }
    return true
  }

  private static func passes(
    _ text: URLText, _ form: TextForm, _ test: RouteShape.Test, _ languages: LanguageTable,
    _ bytes: borrowing Span<UInt8>
  ) -> Bool {
    switch test {
    case .present: true
    case .literal(let literal): form.equals(text, of: bytes, literal)
    case .type(let type): form.takes(text, of: bytes, in: languages[type])
    }
  }

  private mutating func readFirsts(
    _ symbols: SymbolTable, _ bytes: borrowing Span<UInt8>
  ) -> [(key: SymbolTable.Symbol, value: URLText)] {
    if let firsts { return firsts }
    var found: [(key: SymbolTable.Symbol, value: URLText)] = []
    var rest = query.map { QueryCursor($0) }
    while let item = rest?.next(bytes) {
      let symbol = symbols.symbol(of: item.key, in: bytes, form: form)
      guard symbol != SymbolTable.none, !found.contains(where: { $0.key == symbol }) else { continue }
      found.append((symbol, item.value ?? item.noValue))
    }
    firsts = found
    return found
  }
}

/// Cuts the items of a query, one at a time.
///
/// Empty items are none.
struct QueryCursor: Sendable {
  struct Item: Sendable {
    let key: URLText
    /// `nil` where there is no `=`.
    let value: URLText?

    /// The empty value that a key alone has.
    var noValue: URLText { URLText(key.range.upperBound..<key.range.upperBound) }
  }

  private var position: Int
  private let end: Int

  init(_ query: URLText) {
    position = query.range.lowerBound
    end = query.range.upperBound
  }

  mutating func next(_ bytes: borrowing Span<UInt8>) -> Item? {
    while position < end, bytes[position] == UInt8(ascii: "&") { position += 1 }
    guard position < end else { return nil }
    let start = position
    var equals: Int?
    while position < end, bytes[position] != UInt8(ascii: "&") {
      if equals == nil, bytes[position] == UInt8(ascii: "=") { equals = position }
      position += 1
    }
    guard let equals else { return Item(key: URLText(start..<position), value: nil) }
    return Item(key: URLText(start..<equals), value: URLText(equals + 1..<position))
  }
}
