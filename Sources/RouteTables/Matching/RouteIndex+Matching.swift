extension RouteIndex {
  /// The index of a shape's route.
  @usableFromInline
  func route(of shape: Int) -> Int { withView({ Int($0.shapes[shape].route) }, orElse: 0) }

  /// The index of a shape's pattern in its route.
  func pattern(of shape: Int) -> Int { withView({ Int($0.shapes[shape].pattern) }, orElse: 0) }

  /// Finds the shape that wins, and where its captures stand; `false` if none matches.
  @usableFromInline
  func find(
    _ url: borrowing String, _ context: [String: String], _ found: inout FoundShape
  ) throws(RouteTableError) -> Bool {
    let bytes = url.utf8.span
    let shape = withUnsafeMutablePointer(to: &found) { found in
      bytes.withUnsafeBufferPointer { buffer -> UInt32 in
        guard let base = buffer.baseAddress else { return Self.invalid }
        let url = URLBytes(base: base, count: buffer.count)
        return withView(
          { view in
            if context.isEmpty { return view.find(url, nil, found) }
            return withUnsafePointer(to: context) { view.find(url, $0, found) }
          }, orElse: Self.invalid)
      }
    }
    if shape == Self.invalid {
      _ = try URLParts(bytes)
      throw RouteTableError(.invalidURL)
    }
    return shape != Self.none
  }

  static let none = UInt32.max
  static let invalid = UInt32.max - 1
  static let full = UInt32.max - 2
}

extension IndexView {
  private static let tokens = 48
  private static let items = 16

  @inline(__always)
  func find(_ url: URLBytes, _ context: RouteWalk.Context, _ found: UnsafeMutablePointer<FoundShape>)
    -> UInt32
  {
    // A kibibyte is lent by the stack.
    let shape = withUnsafeTemporaryAllocation(of: MatchToken.self, capacity: Self.tokens + Self.items) {
      buffer in
      guard let tokens = buffer.baseAddress else { return RouteIndex.full }
      // Most bare paths have nothing out of the ordinary.
      if url.count > 0, url.base[0] == UInt8(ascii: "/"), url.count <= RouteLimits.bytes, barePaths != 0,
        !URLMarks.hasUnusual(url)
      {
        var walk = RouteWalk(
          url: url, tokens: tokens, first: 0, count: 0, query: QueryScan(tokens), context: context)
        let pending = UnsafeMutableRawPointer(tokens + Self.tokens).assumingMemoryBound(to: UInt64.self)
        if walkStraight(barePaths, 1, url.count, pending, &walk) {
          if walk.best != RouteIndex.none { tellCaptures(0, &walk, found) }
          return walk.best
        }
      }
      return find(url, tokens, Self.tokens, Self.items, context, found)
    }
    return shape == RouteIndex.full ? findLong(url, context, found) : shape
  }

  @inline(never)
  private func find(
    _ url: URLBytes, _ tokens: UnsafeMutablePointer<MatchToken>, _ capacity: Int, _ items: Int,
    _ context: RouteWalk.Context, _ found: UnsafeMutablePointer<FoundShape>
  ) -> UInt32 {
    var scan = URLScan(url, tokens, capacity)
    switch scan.read() {
    case .invalid: return RouteIndex.invalid
    case .full: return RouteIndex.full
    case .read: return best(&scan, tokens + capacity, items, context, found)
    }
  }

  /// For URLs with more labels, segments and query items than usual: the room that the limits ask for.
  @inline(never)
  private func findLong(
    _ url: URLBytes, _ context: RouteWalk.Context, _ found: UnsafeMutablePointer<FoundShape>
  ) -> UInt32 {
    let empty = MatchToken(key: 0, start: 0, end: 0, isWritten: true)
    var room = InlineArray<2432, MatchToken>(repeating: empty)
    return withUnsafeMutableBytes(of: &room) { bytes in
      guard let base = bytes.baseAddress else { return RouteIndex.invalid }
      return find(url, base.assumingMemoryBound(to: MatchToken.self), 2176, 256, context, found)
    }
  }
}
