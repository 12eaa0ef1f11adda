/// Puts things into an order that keeps what is narrower in front of what is wider.
enum PrecedenceOrder {
  /// Beyond so many things, pairs are no longer compared: their widths have to do.
  static let budget = 64

  /// The indices of `count` things in their order: whatever is narrower than another comes before it; where nothing
  /// says more, the one that `precedes` puts in front.
  static func order(
    _ count: Int, narrower: (Int, Int) -> Bool, width: (Int) -> Double, precedes: (Int, Int) -> Bool
  ) -> [Int] {
    let sorted = (0..<count).sorted(by: precedes)
    guard count <= budget else {
      let widths = (0..<count).map(width)
      return sorted.sorted { widths[$0] == widths[$1] ? precedes($0, $1) : widths[$0] < widths[$1] }
    }
    var left = sorted
    var order: [Int] = []
    while !left.isEmpty {
      // Being narrower is acyclic: there is always one that nothing left is narrower than.
      let next = left.indices.first { place in
        !left.contains { narrower($0, left[place]) }
      }
      order.append(left.remove(at: next ?? left.startIndex))
    }
    return order
  }
}
