extension RouteIndex {
  /// Puts the children and the shapes of each node in their order.
  ///
  /// Where neither is narrower, the one whose owner and ID come first is in front.
  mutating func sort() {
    for index in nodes.indices {
      if nodes[index].holes.count > 1 { sortHoles(of: index) }
      if nodes[index].shapes.count > 1 { sortShapes(of: index) }
    }
  }

  private mutating func sortHoles(of index: Int) {
    let holes = nodes[index].holes
    var languages = languages
    let order = PrecedenceOrder.order(
      holes.count,
      narrower: { languages.relation(holes[$0].language, holes[$1].language) == .narrower },
      width: { self.languages[holes[$0].language].width },
      precedes: { nodes[Int(holes[$0].node)].first < nodes[Int(holes[$1].node)].first })
    self.languages = languages
    nodes[index].holes = order.map { holes[$0] }
  }

  /// More keys first: a shape with fewer is narrower than none with more.
  private mutating func sortShapes(of index: Int) {
    var languages = languages
    let groups = Dictionary(grouping: nodes[index].shapes) { shapes[$0].predicates.count }
    nodes[index].shapes = groups.sorted { $0.key > $1.key }.flatMap { _, group in
      PrecedenceOrder.order(
        group.count,
        narrower: { shapes[group[$0]].isNarrower(than: shapes[group[$1]], &languages) },
        width: { shapes[group[$0]].width(self.languages) },
        precedes: { group[$0] < group[$1] }
      ).map { group[$0] }
    }
    self.languages = languages
  }
}
