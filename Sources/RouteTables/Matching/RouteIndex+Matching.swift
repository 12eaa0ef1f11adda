extension RouteIndex {
  private static let tokens = 48
  private static let items = 16

  /// The shape that wins; `nil` if none matches.
  func shape(matching url: String, _ context: [String: String]) throws(RouteTableError) -> Int? {
    let bytes = url.utf8.span
    let found = bytes.withUnsafeBufferPointer { buffer -> UInt32 in
      guard let base = buffer.baseAddress else { return Self.invalid }
      let url = URLBytes(base: base, count: buffer.count)
      // A kibibyte is lent by the stack.
      let found = withUnsafeTemporaryAllocation(of: MatchToken.self, capacity: Self.tokens + Self.items) { buffer in
        guard let tokens = buffer.baseAddress else { return Self.full }
        return find(url, tokens, Self.tokens, Self.items, context)
      }
      return found == Self.full ? findLong(url, context) : found
    }
    if found == Self.none { return nil }
    if found == Self.invalid {
      _ = try URLParts(bytes)
      throw RouteTableError(.invalidURL)
    }
    return Int(found)
  }

  private static let none = UInt32.max
  private static let invalid = UInt32.max - 1
  private static let full = UInt32.max - 2

  @inline(__always)
  private func find(
    _ url: URLBytes, _ tokens: UnsafeMutablePointer<MatchToken>, _ capacity: Int, _ items: Int, _ context: [String: String]
  ) -> UInt32 {
    var scan = URLScan(url, tokens, capacity)
    switch scan.read() {
    case .invalid: return Self.invalid
    case .full: return Self.full
    case .read: break
    }
    let (shape, isFull) = best(&scan, tokens + capacity, items, context)
    return isFull ? Self.full : shape
  }

  /// For URLs with more labels, segments and query items than usual: the room that the limits ask for.
  @inline(never)
  private func findLong(_ url: URLBytes, _ context: [String: String]) -> UInt32 {
    let empty = MatchToken(key: 0, start: 0, end: 0, isWritten: true)
    var room = InlineArray<2432, MatchToken>(repeating: empty)
    return withUnsafeMutableBytes(of: &room) { bytes in
      guard let base = bytes.baseAddress else { return Self.invalid }
      let tokens = base.assumingMemoryBound(to: MatchToken.self)
      return find(url, tokens, 2176, 256, context)
    }
  }
}
