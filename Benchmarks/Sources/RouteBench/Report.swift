internal import Foundation
internal import Racing

/// Prints the figures beside what they are measured against.
enum Report {
  /// What a ratio must reach, and what it would like to.
  struct Goal {
    let line: Double
    var stretch: Double?
  }

  static func title(_ text: String) { print("\n" + text) }

  static func figures(_ figures: Race.Figures, note: String = "") {
    row(figures.name, String(format: "%9.1f ns  least %9.1f", figures.median, figures.least), note)
  }

  /// A line that has a ratio of medians, and what it should be.
  static func ratio(_ name: String, _ one: Race.Figures, to other: Race.Figures, _ goal: Goal?) {
    let ratio = one.median / other.median
    row(name, String(format: "%9.3f x   least %9.3f", ratio, one.least / other.least), verdict(ratio, goal))
  }

  static func value(_ name: String, _ value: Double, _ unit: String, _ goal: Goal? = nil, note: String = "") {
    row(name, String(format: "%9.3f \(unit)", value), goal.map { verdict(value, $0) } ?? note)
  }

  private static func verdict(_ value: Double, _ goal: Goal?) -> String {
    guard let goal else { return "" }
    let stretch = goal.stretch.map { " / \($0)" } ?? ""
    let said = value <= goal.stretch ?? -1 ? "stretch reached" : value <= goal.line ? "reached" : "MISSED"
    return "goal <= \(goal.line)\(stretch): \(said)"
  }

  private static func row(_ name: String, _ figures: String, _ note: String) {
    let padded = name.padding(toLength: 40, withPad: " ", startingAt: 0)
    print("  \(padded) \(figures)   \(note)")
  }
}

extension Report {
  /// Blocks that a look-up of the sweep asks for; none, as it should be.
  static func allocations(_ name: String, _ sweep: Sweep) {
    value("allocations, " + name, sweep.allocations(), "", Goal(line: 0))
  }
}
