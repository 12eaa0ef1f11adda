// SPDX-License-Identifier: Apache-2.0
/// A partition of the Unicode scalars into classes whose members have equal transitions.
///
/// Class 0 contains the scalars that no transition accepts.
package struct ScalarClasses: Hashable, Sendable {
  /// The maximal ranges of scalars with one class other than 0, in ascending order.
  package private(set) var runs: [(range: ClosedRange<UInt32>, number: UInt16)] = []
  /// The number of classes, including class 0.
  package private(set) var count = 1
  /// The class of each ASCII character, by its code.
  package private(set) var ascii = [UInt16](repeating: 0, count: 128)

  /// Indicates whether class 0 is empty.
  var takeAll: Bool {
    var next: UInt32 = 0
    for run in runs {
      guard run.range.lowerBound <= next else { return false }
      next = run.range.upperBound + 1
      // Surrogates are skipped, because no text contains them.
      if next == 0xD800 { next = 0xE000 }
    }
    return next > 0x10FFFF
  }

  package init(runs: [(range: ClosedRange<UInt32>, number: UInt16)]) {
    for run in runs where run.number != 0 {
      if let last = self.runs.last, last.number == run.number,
        last.range.upperBound + 1 == run.range.lowerBound
      {
        self.runs[self.runs.count - 1].range = last.range.lowerBound...run.range.upperBound
      } else {
        self.runs.append(run)
      }
    }
    for run in self.runs {
      count = max(count, Int(run.number) + 1)
      guard run.range.lowerBound < 128 else { continue }
      for scalar in run.range.lowerBound...min(run.range.upperBound, 127) { ascii[Int(scalar)] = run.number }
    }
  }

  /// Returns the coarsest classes of which each set is a union, and the classes of each set; `nil` if there are too many.
  static func separating(_ sets: [ScalarSet]) -> (classes: ScalarClasses, members: [[Int]])? {
    var bounds: Set<UInt32> = []
    for set in sets {
      for range in set.ranges { bounds.formUnion([range.lowerBound, range.upperBound + 1]) }
    }
    let points = bounds.sorted()
    guard points.count * sets.count <= 1 << 20, points.count < Int(UInt16.max) else { return nil }
    // An interval extends from one boundary to the next; its signature is the list of the sets that contain it.
    var signatures = [[Int]](repeating: [], count: points.count)
    for (number, set) in sets.enumerated() {
      var index = 0
      for range in set.ranges {
        while points[index] < range.lowerBound { index += 1 }
        while index < points.count, points[index] <= range.upperBound {
          signatures[index].append(number)
          index += 1
        }
      }
    }
    var numbers: [[Int]: UInt16] = [:]
    var members = [[Int]](repeating: [], count: sets.count)
    var runs: [(range: ClosedRange<UInt32>, number: UInt16)] = []
    for (index, signature) in signatures.enumerated() where !signature.isEmpty {
      let known = numbers[signature]
      let number = known ?? UInt16(numbers.count + 1)
      if known == nil {
        numbers[signature] = number
        for set in signature { members[set].append(Int(number)) }
      }
      runs.append((points[index]...points[index + 1] - 1, number))
    }
    return (ScalarClasses(runs: runs), members)
  }

  /// Returns the class of a scalar.
  package func number(of scalar: UInt32) -> Int {
    if scalar < 128 { return Int(ascii[Int(scalar)]) }
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].range.upperBound < scalar { low = middle + 1 } else { high = middle }
    }
    guard low < runs.count, runs[low].range.contains(scalar) else { return 0 }
    return Int(runs[low].number)
  }

  package static func == (first: ScalarClasses, second: ScalarClasses) -> Bool {
    first.runs.elementsEqual(second.runs) { $0.range == $1.range && $0.number == $1.number }
  }

  package func hash(into hasher: inout Hasher) { for run in runs { hasher.combine(run.range) } }
}
