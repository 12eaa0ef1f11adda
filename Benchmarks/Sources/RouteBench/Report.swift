// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Racing

/// Prints the figures with those of the compared libraries, and collects them for a file.
final class Report {
  /// The name of the current row.
  var row = ""
  private var sections: [Section] = []

  func title(_ text: String) {
    print("\n" + text)
    sections.append(Section(row: row, title: text))
  }

  func figures(_ figures: Race.Figures, note: String = "") {
    line(figures.name, String(format: "%9.1f ns  least %9.1f", figures.median, figures.least), note)
    keep(Line(figures.name, figures.median, "ns", rounds: figures.times, note: note))
  }

  /// Adds a line with a ratio of medians and its goal.
  func ratio(_ name: String, _ one: Race.Figures, to other: Race.Figures, _ goal: Goal?) {
    let ratio = one.median / other.median
    line(
      name, String(format: "%9.3f x   least %9.3f", ratio, one.least / other.least),
      goal?.sentence(ratio) ?? "")
    keep(Line(name, ratio, "x", rounds: zip(one.times, other.times).map { $0 / $1 }, goal: goal))
  }

  func value(_ name: String, _ value: Double, _ unit: String, _ goal: Goal? = nil, note: String = "") {
    line(name, String(format: "%9.3f \(unit)", value), goal?.sentence(value) ?? note)
    keep(Line(name, value, unit, rounds: [], note: note, goal: goal))
  }

  /// Adds a line with the allocations for a lookup; the goal is zero.
  func allocations(_ name: String, _ sweep: Sweep) {
    value("allocations, " + name, sweep.allocations(), "", Goal(line: 0))
  }

  /// Writes the figures as JSON in the format that `make bench` reads.
  func write(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(sections).write(to: file)
  }

  private func keep(_ line: Line) { sections[sections.count - 1].lines.append(line) }

  private func line(_ name: String, _ figures: String, _ note: String) {
    let padded = name.padding(toLength: 40, withPad: " ", startingAt: 0)
    print("  \(padded) \(figures)   \(note)")
  }
}

extension Report {
  /// The goal of a figure, and a stretch goal.
  struct Goal: Encodable {
    let line: Double
    var stretch: Double?

    func verdict(_ value: Double) -> String {
      value <= stretch ?? -1 ? "stretch" : value <= line ? "reached" : "MISSED"
    }

    func sentence(_ value: Double) -> String {
      let beside = stretch.map { " / \($0)" } ?? ""
      let said = verdict(value)
      return "goal <= \(line)\(beside): \(said == "stretch" ? "stretch reached" : said)"
    }
  }

  /// Figures that were measured together.
  private struct Section: Encodable {
    let row: String
    let title: String
    var lines: [Line] = []
  }

  /// One figure: the median of the rounds, and the range of eight tenths of them.
  private struct Line: Encodable {
    let name: String
    let unit: String
    let value: Double
    let low: Double?
    let high: Double?
    let rounds: Int
    let note: String
    let goal: Goal?
    let verdict: String?

    init(
      _ name: String, _ value: Double, _ unit: String, rounds: [Double], note: String = "", goal: Goal? = nil
    ) {
      let sorted = rounds.sorted()
      self.name = name
      self.unit = unit
      self.value = value
      low = sorted.isEmpty ? nil : sorted[sorted.count / 10]
      high = sorted.isEmpty ? nil : sorted[sorted.count - 1 - sorted.count / 10]
      self.rounds = max(1, rounds.count)
      self.note = note
      self.goal = goal
      verdict = goal?.verdict(value)
    }
  }
}
