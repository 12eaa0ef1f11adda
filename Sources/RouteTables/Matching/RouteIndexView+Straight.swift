extension RouteIndexView {
  /// How many ways a straight walk leaves behind.
  static let straightWays = 8

  /// Walks the segments in one go; what is left behind at a node with several ways is on a small stack.
  ///
  /// Returns `false`, and has decided nothing, where the index has rests or folded texts on the way, or more ways than the
  /// stack has room for: those are for `walkSegments`.
  @inline(never)
  func walkStraight(_ start: UInt32, _ walk: inout MatchState) -> Bool {
    let before = walk.best
    let pending = walk.pending
    var depth = 0
    var number = start
    var token = UnsafePointer(walk.tokens + walk.first)
    let end = token + walk.count
    while true {
      let node = node(number)
      var next: UInt32 = 0
      if token < end {
        next = self.node(after: node, token, &walk)
        let special = node.pointee.special
        if special != 0 {
          if special == MatchNode.several {
            guard push(node, token, end, &depth, &walk) else { break }
          } else if !token.pointee.isEmpty {
            if next == 0 {
              next = special
            } else {
              guard depth < Self.straightWays else { break }
              pending[depth] = Self.way(special, end - token &- 1)
              depth &+= 1
            }
          }
        }
        token += 1
      } else {
        walk.best = best(of: node, &walk)
      }
      if next != 0 {
        number = next
        continue
      }
      // What was left behind and can still win.
      repeat {
        guard depth > 0 else { return true }
        depth &-= 1
        number = UInt32(truncatingIfNeeded: pending[depth] &>> 32)
        token = end.advanced(by: 0 &- Int(truncatingIfNeeded: pending[depth] & 0xFFFF_FFFF))
      } while self.node(number).pointee.best >= walk.best
    }
    walk.best = before
    return false
  }

  /// A node to go on from, and how many segments are left.
  @inline(__always)
  private static func way(_ node: UInt32, _ left: Int) -> UInt64 {
    UInt64(node) &<< 32 | UInt64(truncatingIfNeeded: left)
  }

  /// The node after a node over a segment; 0 if there is none.
  @inline(__always)
  private func node(
    after node: UnsafePointer<MatchNode>, _ token: UnsafePointer<MatchToken>, _ walk: inout MatchState
  ) -> UInt32 {
    var edge = texts(of: node)
    let mask = node.pointee.mask
    guard mask != MatchNode.noTexts else { return 0 }
    let key = token.pointee.key
    if mask > 0 { edge += Self.place(of: key, Int(mask)) }
    while edge.pointee.node != 0 {
      if edge.pointee.key.low == key.low, edge.pointee.key.high == key.high,
        !key.mayBeHash || isText(edge, of: token, &walk)
      {
        break
      }
      edge += 1
    }
    return edge.pointee.node
  }

  @inline(never)
  private func isText(
    _ edge: UnsafePointer<MatchEdge>, of token: UnsafePointer<MatchToken>, _ walk: inout MatchState
  ) -> Bool {
    edge.pointee.text == 0 || equals(token.pointee, of: walk.url, .path, edge.pointee.text)
  }

  /// Leaves behind the branches that take the segment, those with the best shapes on top; `false` if one of them is not
  /// for a straight walk.
  @inline(never)
  private func push(
    _ node: UnsafePointer<MatchNode>, _ token: UnsafePointer<MatchToken>, _ end: UnsafePointer<MatchToken>,
    _ depth: inout Int, _ walk: inout MatchState
  ) -> Bool {
    let first = Int(node.pointee.branches)
    var place = first &+ Int(node.pointee.branchCount)
    while place > first {
      place &-= 1
      let branch = branches[place]
      guard branch.kind.takesOne, depth < Self.straightWays else { return false }
      guard takes(branch, token.pointee, walk.url, .path) else { continue }
      walk.pending[depth] = Self.way(branch.node, end - token &- 1)
      depth &+= 1
    }
    return true
  }
}
