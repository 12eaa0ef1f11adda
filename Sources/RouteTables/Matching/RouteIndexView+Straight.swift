// SPDX-License-Identifier: Apache-2.0
extension RouteIndexView {
  /// The maximum number of pending alternatives in `walkStraight`.
  static let straightWays = 8

  /// Matches the segments in one loop, with a small stack of alternatives instead of recursion.
  ///
  /// Returns `false`, with the state unchanged, if a node has catch-alls or case-insensitive texts, or if the alternatives
  /// exceed the stack. `walkSegments` handles those.
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
            guard push(node, token: token, end: end, depth: &depth, &walk) else { break }
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
      // Continue with the next alternative that can still win.
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

  /// Returns a node and the number of remaining segments, packed into one integer.
  @inline(__always)
  private static func way(_ node: UInt32, _ left: Int) -> UInt64 {
    UInt64(node) &<< 32 | UInt64(truncatingIfNeeded: left)
  }

  /// Returns the node after a segment; 0 if there is none.
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
    edge.pointee.text == 0 || equals(token.pointee, of: walk.url, form: .path, text: edge.pointee.text)
  }

  /// Pushes the branches that accept the segment, the best variants on top.
  ///
  /// Returns `false` if a branch needs more than one segment, or if the stack is full.
  @inline(never)
  private func push(
    _ node: UnsafePointer<MatchNode>, token: UnsafePointer<MatchToken>, end: UnsafePointer<MatchToken>,
    depth: inout Int, _ walk: inout MatchState
  ) -> Bool {
    let first = Int(node.pointee.branches)
    var place = first &+ Int(node.pointee.branchCount)
    while place > first {
      place &-= 1
      let branch = branches[place]
      guard branch.kind.takesOne, depth < Self.straightWays else { return false }
      guard takes(branch, token.pointee, of: walk.url, form: .path) else { continue }
      walk.pending[depth] = Self.way(branch.node, end - token &- 1)
      depth &+= 1
    }
    return true
  }
}
