extension RouteIndex {
  private static let tokens = 48
  private static let items = 16

  /// The shape that wins; `nil` if none matches.
  /// The index of a shape's route.
  @usableFromInline
  func route(of shape: Int) -> Int { Int(shapes[shape].route) }

  /// The shape that wins; its number is `none` if none matches.
  @usableFromInline
  func find(_ url: borrowing String, _ context: [String: String]) throws(RouteTableError) -> FoundShape {
    let bytes = url.utf8.span
    let found = bytes.withUnsafeBufferPointer { buffer -> FoundShape in
      guard let base = buffer.baseAddress else { return FoundShape(Self.invalid) }
      let url = URLBytes(base: base, count: buffer.count)
      // A kibibyte is lent by the stack.
      let found = withUnsafeTemporaryAllocation(of: MatchToken.self, capacity: Self.tokens + Self.items) { buffer in
        guard let tokens = buffer.baseAddress else { return FoundShape(Self.full) }
        return find(url, tokens, Self.tokens, Self.items, context)
      }
      return found.shape == Self.full ? findLong(url, context) : found
    }
    if found.shape == Self.invalid {
      _ = try URLParts(bytes)
      throw RouteTableError(.invalidURL)
    }
    return found
  }

  @usableFromInline static let none = UInt32.max
  static let invalid = UInt32.max - 1
  static let full = UInt32.max - 2

  @inline(__always)
  private func find(
    _ url: URLBytes, _ tokens: UnsafeMutablePointer<MatchToken>, _ capacity: Int, _ items: Int, _ context: [String: String]
  ) -> FoundShape {
    var scan = URLScan(url, tokens, capacity)
    switch scan.read() {
    case .invalid: return FoundShape(Self.invalid)
    case .full: return FoundShape(Self.full)
    case .read: return best(&scan, tokens + capacity, items, context)
    }
  }

  /// For URLs with more labels, segments and query items than usual: the room that the limits ask for.
  @inline(never)
  private func findLong(_ url: URLBytes, _ context: [String: String]) -> FoundShape {
    let empty = MatchToken(key: 0, start: 0, end: 0, isWritten: true)
    var room = InlineArray<2432, MatchToken>(repeating: empty)
    return withUnsafeMutableBytes(of: &room) { bytes in
      guard let base = bytes.baseAddress else { return FoundShape(Self.invalid) }
      let tokens = base.assumingMemoryBound(to: MatchToken.self)
      return find(url, tokens, 2176, 256, context)
    }
  }
}
