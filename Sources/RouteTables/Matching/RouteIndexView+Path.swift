// SPDX-License-Identifier: Apache-2.0
extension RouteIndexView {
  /// Matches the path from a node on.
  @inline(__always)
  func walkPath(_ number: UInt32, _ walk: inout MatchState) {
    guard node(number).pointee.best < walk.best else { return }
    if !walkStraight(number, &walk) { walkSegments(number, from: 0, &walk) }
  }

  /// Matches the segments from index `from` on.
  ///
  /// Skips a node whose variants cannot beat the best one so far. Follows a single edge in the loop instead of a recursive
  /// call.
  @inline(never)
  private func walkSegments(_ start: UInt32, from: Int, _ walk: inout MatchState) {
    var number = start
    var index = from
    while true {
      let node = node(number).pointee
      guard node.best < walk.best else { return }
      guard index < walk.count else { return finish(number, &walk) }
      let token = walk.tokens[walk.first &+ index]
      let next = self.node(after: number, token, of: walk.url, form: .path)
      index &+= 1
      if node.branchCount == 0 {
        guard next != 0 else { return }
        number = next
        continue
      }
      if next != 0 { walkSegments(next, from: index, &walk) }
      guard node.special != MatchNode.several else {
        return walkBranches(node, token: token, index: index &- 1, &walk)
      }
      guard !token.isEmpty else { return }
      number = node.special
    }
  }

  private func walkBranches(_ node: MatchNode, token: MatchToken, index: Int, _ walk: inout MatchState) {
    for place in Int(node.branches)..<(Int(node.branches) &+ Int(node.branchCount)) {
      let branch = branches[place]
      if branch.best >= walk.best { return }
      switch branch.kind {
      case .any, .one, .affixes, .affixesOne:
        if takes(branch, token, of: walk.url, form: .path) {
          walkSegments(branch.node, from: index &+ 1, &walk)
        }
      case .folded:
        let next = folded(branch, token: token, &walk)
        if next != 0 { walkSegments(next, from: index &+ 1, &walk) }
      case .rest:
        walkEnd(
          branch.node, start: index, end: walk.count,
          outside: firstOutside(branch.language, from: index, &walk), &walk)
      case .all, .anchor: continue
      }
    }
  }

  /// Updates the best variant with those that end in a node.
  @inline(__always)
  private func finish(_ number: UInt32, _ walk: inout MatchState) {
    walk.best = best(of: node(number), &walk)
  }

  /// Returns the best variant that ends in a node and fulfils its requirements, or the best one so far.
  @inline(__always)
  func best(of node: UnsafePointer<MatchNode>, _ walk: inout MatchState) -> UInt32 {
    if node.pointee.shapeCount == 1 {
      let entry = node.pointee.shapes
      let shape = entry & 0x7FFF_FFFF
      return shape < walk.best && (entry > 0x7FFF_FFFF || holds(shape, &walk)) ? shape : walk.best
    }
    var place = Int(node.pointee.shapes)
    let end = place &+ Int(node.pointee.shapeCount)
    while place < end {
      let entry = ends[place]
      let shape = entry & 0x7FFF_FFFF
      if shape >= walk.best { break }
      if entry > 0x7FFF_FFFF || holds(shape, &walk) { return shape }
      place &+= 1
    }
    return walk.best
  }

  /// Returns the node after the lower-case form of the text; 0 if there is none.
  @inline(never)
  private func folded(_ branch: MatchBranch, token: MatchToken, _ walk: inout MatchState) -> UInt32 {
    let form = Normalization.foldedPath
    let key = walk.url.key(from: token.start, to: token.end, form: form)
    let copy = MatchToken(key: key, start: token.start, end: token.end, isWritten: false)
    return node(after: branch.node, copy, of: walk.url, form: form)
  }

  /// Returns the index of the first segment that a language does not accept; the number of segments if it accepts all.
  private func firstOutside(_ language: UInt32, from start: Int, _ walk: inout MatchState) -> Int {
    if language == 0 { return walk.count }
    var index = start
    while index < walk.count, takes(language, at: index, &walk) { index &+= 1 }
    return index
  }

  private func takes(_ language: UInt32, at index: Int, _ walk: inout MatchState) -> Bool {
    if language == 0 { return true }
    let token = walk.tokens[walk.first &+ index]
    return language == 1
      ? !token.isEmpty
      : takes(from: token.start, to: token.end, of: walk.url, form: .path, language: language)
  }

  /// Matches the segments after a catch-all, from the end of the path backwards.
  ///
  /// The catch-all begins at `start`, the segments matched so far begin at `end`, and the catch-all must end at or before
  /// `outside`.
  private func walkEnd(_ number: UInt32, start: Int, end: Int, outside: Int, _ walk: inout MatchState) {
    let node = node(number).pointee
    guard node.best < walk.best, start < end else { return }
    if start &+ 1 < end {
      let token = walk.tokens[walk.first &+ end &- 1]
      let next = self.node(after: number, token, of: walk.url, form: .path)
      if next != 0 { walkEnd(next, start: start, end: end &- 1, outside: outside, &walk) }
      for place in Int(node.branches)..<(Int(node.branches) &+ Int(node.branchCount)) {
        let branch = branches[place]
        if branch.best >= walk.best { break }
        switch branch.kind {
        case .any, .one, .affixes, .affixesOne:
          if takes(branch, token, of: walk.url, form: .path) {
            walkEnd(branch.node, start: start, end: end &- 1, outside: outside, &walk)
          }
        case .folded:
          let next = folded(branch, token: token, &walk)
          if next != 0 { walkEnd(next, start: start, end: end &- 1, outside: outside, &walk) }
        case .anchor: walkAnchors(branch, start: start, end: end, outside: outside, &walk)
        case .rest, .all: continue
        }
      }
    }
    if outside >= end { finish(number, &walk) }
  }

  /// Matches the segments between two catch-alls at each possible index.
  private func walkAnchors(
    _ branch: MatchBranch, start: Int, end: Int, outside: Int, _ walk: inout MatchState
  ) {
    let length = Int(branch.length)
    // The second catch-all needs at least one segment, and begins after the last segment that its type does not accept.
    var earliest = start &+ 1
    if branch.language != 0 {
      var index = end
      while index > earliest, takes(branch.language, at: index &- 1, &walk) { index &-= 1 }
      if index > earliest { earliest = max(earliest, index &- length) }
    }
    let latest = min(outside, end &- 1 &- length)
    guard earliest <= latest else { return }
    for index in earliest...latest {
      if branch.best >= walk.best { return }
      walkAnchor(branch.node, index: index, end: index &+ length, &walk)
    }
  }

  private func walkAnchor(_ number: UInt32, index: Int, end: Int, _ walk: inout MatchState) {
    let node = node(number).pointee
    guard node.best < walk.best else { return }
    guard index < end else { return finish(number, &walk) }
    let token = walk.tokens[walk.first &+ index]
    let next = self.node(after: number, token, of: walk.url, form: .path)
    if next != 0 { walkAnchor(next, index: index &+ 1, end: end, &walk) }
    for place in Int(node.branches)..<(Int(node.branches) &+ Int(node.branchCount)) {
      let branch = branches[place]
      if branch.best >= walk.best { return }
      if branch.kind == .folded {
        let next = folded(branch, token: token, &walk)
        if next != 0 { walkAnchor(next, index: index &+ 1, end: end, &walk) }
      } else if takes(branch, token, of: walk.url, form: .path) {
        walkAnchor(branch.node, index: index &+ 1, end: end, &walk)
      }
    }
  }
}
