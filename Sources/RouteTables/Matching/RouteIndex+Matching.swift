// SPDX-License-Identifier: Apache-2.0
extension RouteIndex {
  /// Returns the index of a variant's pattern in its route.
  package func pattern(of shape: Int) -> Int { withView({ Int($0.shapes[shape].pattern) }, orElse: 0) }

  /// Returns the index of a variant's route in its table.
  package func route(of shape: Int) -> Int { withView({ Int($0.shapes[shape].route) }, orElse: 0) }

  /// Returns the variant at an index of the order, interned in other languages, and its pattern.
  package func shape<Routes: RandomAccessCollection>(
    at place: Int, of routes: Routes, _ languages: inout LanguageInterner
  ) -> (shape: RouteVariant, pattern: RoutePattern) where Routes.Element == RouteRecord, Routes.Index == Int {
    let (number, index) = (route(of: place), pattern(of: place))
    let route = routes[number]
    let pattern = route.patterns[index]
    let shape = RouteVariant(
      form(at: place, of: pattern), of: pattern, route: number, index: index, conditions: route.conditions,
      languages: &languages)
    return (shape, pattern)
  }

  /// Finds the winning variant and the ranges of its captures; returns `false` if none matches.
  ///
  /// Throws the error of `ParsedURL` if the URL cannot be read.
  @usableFromInline
  package func find(
    _ bytes: borrowing Span<UInt8>, context: [String: String], found: inout FoundRoute
  ) throws(RouteTableError) -> Bool {
    let shape = withUnsafePointer(to: context) { context in
      withUnsafeMutablePointer(to: &found) { found in
        bytes.withUnsafeBufferPointer { buffer -> UInt32 in
          guard let base = buffer.baseAddress, buffer.count > 0 else { return Self.invalid }
          let url = URLBytes(base: base, count: buffer.count)
          return withView({ $0.find(url, context: context, found: found) }, orElse: Self.invalid)
        }
      }
    }
    if shape == Self.invalid {
      _ = try ParsedURL(bytes)
      throw RouteTableError(.invalidURL)
    }
    return shape != Self.none
  }

  static let none = UInt32.max
  static let invalid = UInt32.max - 1
  static let full = UInt32.max - 2
  static let unread = UInt32.max - 3
}

/// The buffers of one match, allocated on the stack.
struct MatchScratch {
  let tokens: UnsafeMutablePointer<MatchToken>
  let tokenCount: Int
  let items: UnsafeMutablePointer<QueryScan.Item>
  let itemCount: Int
  /// The stack of pending alternatives in `walkStraight`.
  let pending: UnsafeMutablePointer<UInt64>
}

extension RouteIndexView {
  // The buffers have at most one kibibyte, for which `withUnsafeTemporaryAllocation` always uses the stack.
  private static let tokens = 32
  private static let items = 10
  private static let short = 4

  @inline(__always)
  func find(_ url: URLBytes, context: MatchState.Context, found: UnsafeMutablePointer<FoundRoute>)
    -> UInt32
  {
    let bytes = Self.tokens * 24 + (Self.short + Self.straightWays) * 8 + Self.items * 16
    let shape = withUnsafeTemporaryAllocation(byteCount: bytes, alignment: 8) { room in
      guard let base = room.baseAddress else { return RouteIndex.full }
      let tokens = base.assumingMemoryBound(to: MatchToken.self)
      let short = UnsafeMutableRawPointer(tokens + Self.tokens).assumingMemoryBound(to: UInt64.self)
      let pending = short + Self.short
      let items = UnsafeMutableRawPointer(pending + Self.straightWays)
      let room = MatchScratch(
        tokens: tokens, tokenCount: Self.tokens,
        items: items.assumingMemoryBound(to: QueryScan.Item.self), itemCount: Self.items, pending: pending)
      // Fast path: most bare paths contain only ordinary ASCII bytes.
      if url.base[0] == UInt8(ascii: "/"), let cutter = plainPath(url, short) {
        let outcome = cutter.cut(from: 1, into: tokens, room: Self.tokens)
        if !outcome.isFull, !outcome.hasDots {
          var walk = MatchState(
            url: url, tokens: tokens, count: outcome.count, pending: pending, query: QueryScan(room),
            context: context)
          walkPath(header.pointee.barePaths, &walk)
          if walk.best != RouteIndex.none { writeCaptures(labelCount: 0, &walk, to: found) }
          return walk.best
        }
      }
      return findURL(url, scratch: room, context: context, found: found)
    }
    return shape == RouteIndex.full ? findLong(url, context: context, found: found) : shape
  }

  /// Returns a splitter of a bare path that contains only ordinary bytes.
  ///
  /// Returns `nil` for other paths, and if the table has no routes for bare paths. A path of fewer than 16 bytes is copied
  /// to `short`, where zeros follow it.
  @inline(__always)
  private func plainPath(_ url: URLBytes, _ short: UnsafeMutablePointer<UInt64>) -> PathSplitter? {
    guard header.pointee.barePaths != 0, url.count <= RouteLimits.bytes else { return nil }
    if url.count >= 16 {
      return URLPrescan.hasUnusual(url)
        ? nil : PathSplitter(bytes: url.base, end: url.count, limit: url.count)
    }
    let window = URLPrescan.window(short: url)
    guard !URLPrescan.hasUnusual(window, url.count) else { return nil }
    (short[0], short[1], short[2], short[3]) = (window.low, window.high, 0, 0)
    return PathSplitter(
      bytes: UnsafeRawPointer(short).assumingMemoryBound(to: UInt8.self), end: url.count, limit: 32)
  }

  /// Matches a URL, first on the fast path for plain URLs.
  @inline(never)
  private func findURL(
    _ url: URLBytes, scratch: MatchScratch, context: MatchState.Context,
    found: UnsafeMutablePointer<FoundRoute>
  ) -> UInt32 {
    let shape = findPlain(url, scratch: scratch, context: context, found: found)
    return shape == RouteIndex.unread ? find(url, scratch: scratch, context: context, found: found) : shape
  }

  @inline(never)
  private func find(
    _ url: URLBytes, scratch: MatchScratch, context: MatchState.Context,
    found: UnsafeMutablePointer<FoundRoute>
  ) -> UInt32 {
    var scan = URLTokenizer(url, scratch)
    switch scan.read() {
    case .invalid: return RouteIndex.invalid
    case .full: return RouteIndex.full
    case .read: return best(&scan, scratch: scratch, context: context, found: found)
    }
  }

  /// Matches a URL with more labels, segments or query items than the usual buffers hold, in buffers that fit every valid
  /// URL.
  @inline(never)
  private func findLong(
    _ url: URLBytes, context: MatchState.Context, found: UnsafeMutablePointer<FoundRoute>
  ) -> UInt32 {
    let empty = MatchToken(key: .empty, start: 0, end: 0, isWritten: true)
    var tokens = InlineArray<2176, MatchToken>(repeating: empty)
    var items = InlineArray<520, UInt64>(repeating: 0)
    return withUnsafeMutableBytes(of: &tokens) { tokens in
      withUnsafeMutableBytes(of: &items) { items in
        guard let tokens = tokens.baseAddress, let items = items.baseAddress else {
          return RouteIndex.invalid
        }
        let room = MatchScratch(
          tokens: tokens.assumingMemoryBound(to: MatchToken.self), tokenCount: 2176,
          items: items.assumingMemoryBound(to: QueryScan.Item.self), itemCount: RouteLimits.queryItems,
          pending: (items + 4096).assumingMemoryBound(to: UInt64.self))
        return find(url, scratch: room, context: context, found: found)
      }
    }
  }
}
