extension IndexView {
  /// Cuts and walks in one go a path in which nothing is encoded, from `begin` up to `end`.
  ///
  /// Returns `false`, and has decided nothing, where the path is long or may have dot segments, or the index has rests or
  /// folded texts on the way: those are for `walkPath`. What is left behind at a node with several ways is on a small stack.
  @inline(never)
  func walkStraight(
    _ start: UInt32, _ start0: Int, _ end: Int, _ pending: UnsafeMutablePointer<UInt64>,
    _ walk: inout RouteWalk
  ) -> Bool {
    guard end &- start0 < 1_000 else { return false }
    let base = walk.url.base
    let limit = walk.url.count
    let tokens = walk.tokens + walk.first
    var best = walk.best
    var number = Int(start)
    var begin = start0
    var index = 0
    var depth = 0
    while true {
      let node = nodes + number
      walking: if node.pointee.best < best {
        guard begin <= end else {
          // The path is at its end.
          let shape = finish(node, best, &walk)
          if shape < best {
            best = shape
            walk.count = index
          }
          break walking
        }
        let left = end &- begin
        let word =
          begin &+ 8 <= limit ? TextKey.load(base, begin) : TextKey.word(base, begin, left, limit: limit)
        let slashes = word ^ 0x2F2F_2F2F_2F2F_2F2F
        let found = (slashes &- 0x0101_0101_0101_0101) & ~slashes & 0x8080_8080_8080_8080
        var length = found.trailingZeroBitCount &>> 3
        let key: UInt64
        if found != 0, length < left {
          key = word & (((found & (0 &- found)) &>> 7) &- 1)
        } else if left <= 8 {
          length = left
          key = left == 0 ? 0 : word & (UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- left &* 8))
        } else {
          let long = PathCutter.longSegment(base, begin, end, limit: limit)
          length = long.length
          key = long.key
        }
        guard key | 0x2E00 != 0x2E2E, index < Self.straight else { return false }
        let after = begin &+ length
        let token = MatchToken(key: key, start: begin, end: after, isWritten: true)
        tokens[index] = token
        index &+= 1
        begin = after &+ 1
        // The node after the text.
        let mask = Int(node.pointee.mask)
        let table = edges + Int(node.pointee.edges)
        var place = Self.place(of: key, mask)
        var next = 0
        while true {
          let edge = table + place
          next = Int(edge.pointee.node)
          if next == 0 { break }
          if edge.pointee.key == key,
            edge.pointee.text == 0 || equals(token, of: walk.url, .path, edge.pointee.text)
          {
            break
          }
          place = (place &+ 1) & mask
        }
        if node.pointee.branchCount == 0 {
          if next == 0 { break walking }
          number = next
          continue
        }
        let special = Int(node.pointee.special)
        if special == 0 {
          guard push(node, token, begin, index, &depth, pending, &walk) else { return false }
        } else if key != 0 {
          if next == 0 {
            number = special
            continue
          }
          guard depth < Self.pending else { return false }
          pending[depth] = Self.packed(special, index, begin)
          depth &+= 1
        }
        if next != 0 {
          number = next
          continue
        }
      }
      // What was left behind.
      guard depth > 0 else { break }
      depth &-= 1
      let entry = pending[depth]
      number = Int(truncatingIfNeeded: entry &>> 32)
      index = Int(truncatingIfNeeded: entry &>> 24 & 0xFF)
      begin = Int(truncatingIfNeeded: entry & 0xFF_FFFF)
    }
    walk.best = best
    // What was not looked at could be dot segments.
    return best != RouteIndex.none || !PathCutter.mayHaveDots(base, start0, end)
  }

  /// How many segments a straight walk goes, and how many ways it leaves behind.
  static let straight = 40
  static let pending = 8

  @inline(__always)
  private static func packed(_ node: Int, _ index: Int, _ begin: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: node) &<< 32 | UInt64(truncatingIfNeeded: index) &<< 24
      | UInt64(truncatingIfNeeded: begin)
  }

  /// Leaves behind the branches that take the segment, those with the best shapes on top; `false` if one of them is not
  /// for a straight walk.
  @inline(never)
  private func push(
    _ node: UnsafePointer<MatchNode>, _ token: MatchToken, _ begin: Int, _ index: Int,
    _ depth: inout Int,
    _ pending: UnsafeMutablePointer<UInt64>, _ walk: inout RouteWalk
  ) -> Bool {
    let first = Int(node.pointee.branches)
    var place = first &+ Int(node.pointee.branchCount)
    while place > first {
      place &-= 1
      let branch = branches[place]
      guard branch.kind == .any || branch.kind == .one, depth < Self.pending else { return false }
      guard takes(branch, token, walk.url, .path) else { continue }
      pending[depth] = Self.packed(Int(branch.node), index, begin)
      depth &+= 1
    }
    return true
  }

  /// The best of the shapes that end with the path.
  @inline(__always)
  private func finish(_ node: UnsafePointer<MatchNode>, _ best: UInt32, _ walk: inout RouteWalk)
    -> UInt32
  {
    var place = Int(node.pointee.shapes)
    let end = place &+ Int(node.pointee.shapeCount)
    while place < end {
      let entry = ends[place]
      let shape = entry & 0x7FFF_FFFF
      if shape >= best { return best }
      if entry > 0x7FFF_FFFF || holds(shape, &walk) { return shape }
      place &+= 1
    }
    return best
  }
}
