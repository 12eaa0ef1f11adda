// SPDX-License-Identifier: Apache-2.0
/// The items of a query that the pattern did not read, in the order of the URL.
///
/// Each item is split and decoded on access. A pattern reads the first item of each key that it names; with `?tag={tag}`, a
/// second `tag=` is one of these items.
public struct RouteQuery: Sequence, Sendable {
  /// An item of a query, decoded.
  public struct Item: Hashable, Sendable {
    /// The text before `=`.
    public let name: String
    /// The text after `=`; `nil` if there is no `=`.
    public let value: String?
  }

  let url: String
  let pattern: RoutePattern

  /// The first value of `name` among these items: empty for a key without `=`, `nil` if there is no such key.
  public subscript(name: String) -> String? {
    first { $0.name.utf8.elementsEqual(name.utf8) }.map { $0.value ?? "" }
  }

  /// Returns an iterator over the items.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// An iterator that splits and decodes one item at a time.
  public struct Iterator: IteratorProtocol, Sendable {
    private let url: String
    private let keys: [[UInt8]]
    /// A bit for each key whose capture reads all of its items.
    private let lists: UInt64
    private let form: Normalization
    private var cursor: QueryCursor?
    /// A bit for each key of the pattern whose first item has passed; there are at most `RouteLimits.patternQueryItems` keys.
    private var read: UInt64 = 0

    init(_ query: RouteQuery) {
      url = query.url
      let pattern = query.pattern
      let read = pattern.query.filter { $0.test != .absent }
      keys = read.map(\.key)
      var lists: UInt64 = 0
      for (index, item) in read.enumerated()
      where item.value?.wholeCapture.map({ pattern.captures[$0].extent }) == .list {
        lists |= 1 << UInt64(index)
      }
      self.lists = lists
      form = pattern.options.plus == .literal ? .path : .query(scheme: query.url.foldedScheme)
      cursor = query.url.utf8.query.map { QueryCursor($0) }
    }

    /// The next item that the pattern did not read.
    public mutating func next() -> Item? {
      let bytes = url.utf8.span
      while let item = cursor?.next(bytes) {
        let key = keys.firstIndex { form.equals(item.key, of: bytes, $0) }
        if let key, (read & ~lists) & (1 << UInt64(key)) == 0 {
          read |= 1 << UInt64(key)
          continue
        }
        return Item(name: string(item.key), value: item.value.map { string($0) })
      }
      return nil
    }

    private func string(_ text: URLSlice) -> String {
      String(decoding: form.decode(text, of: url.utf8.span), as: UTF8.self)
    }
  }
}

extension String {
  /// The scheme of a URL in lower case; `nil` for a bare path.
  package var foldedScheme: String? {
    guard utf8.first != UInt8(ascii: "/") else { return nil }
    return String(decoding: utf8.prefix { $0 != UInt8(ascii: ":") }.map(\.foldedASCII), as: UTF8.self)
  }
}

extension String.UTF8View {
  /// The range between the first `?` and the first `#`; `nil` if there is no query.
  fileprivate var query: URLSlice? {
    var start: Int?
    for (offset, byte) in enumerated() {
      if byte == UInt8(ascii: "#") { return start.map { URLSlice($0..<offset) } }
      if byte == UInt8(ascii: "?"), start == nil { start = offset + 1 }
    }
    return start.map { URLSlice($0..<count) }
  }
}
