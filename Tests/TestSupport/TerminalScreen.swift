// SPDX-License-Identifier: Apache-2.0

/// The screen of a terminal that understands the sequences of a full-screen program of Usher, and no others.
///
/// It has an alternate screen. Each Unicode scalar takes one cell.
public struct TerminalScreen: Sendable {
  /// Control characters and sequences that it does not know.
  public private(set) var unknown: [String] = []
  /// Indicates whether the alternate screen is shown.
  public private(set) var isAlternate = false
  /// Indicates whether the cursor is visible.
  public private(set) var showsCursor = true
  /// Indicates whether long lines are wrapped.
  public private(set) var wraps = true
  /// The number of times that a complete line was erased.
  public private(set) var erasedLines = 0

  private var size: (rows: Int, columns: Int)
  private var cells: [[Unicode.Scalar]]
  private var main: [[Unicode.Scalar]]
  private var cursor = (row: 0, column: 0)
  private var pending: [UInt8] = []

  /// Creates an empty screen.
  public init(rows: Int, columns: Int) {
    size = (rows, columns)
    cells = Self.empty(rows, columns)
    main = cells
  }

  private static func empty(_ rows: Int, _ columns: Int) -> [[Unicode.Scalar]] {
    Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// The lines, without spaces at their ends.
  public var lines: [String] {
    cells.map { row in
      var text = ""
      text.unicodeScalars.append(contentsOf: row[..<(row.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0)])
      return text
    }
  }

  /// Changes the size, and erases both screens.
  public mutating func resize(rows: Int, columns: Int) {
    size = (rows, columns)
    cells = Self.empty(rows, columns)
    main = cells
    cursor = (0, 0)
  }

  /// Shows output.
  public mutating func write(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    while let (unit, length) = next {
      pending.removeFirst(length)
      show(unit)
    }
  }

  private enum Unit {
    case scalar(Unicode.Scalar)
    case sequence(parameters: String, final: Character)
  }

  /// The next complete unit of the output, and the number of its bytes.
  private var next: (unit: Unit, length: Int)? {
    guard let first = pending.first else { return nil }
    if first == 0x1B {
      guard pending.count > 1 else { return nil }
      guard pending[1] == UInt8(ascii: "[") else { return (.scalar("\u{1B}"), 1) }
      guard let end = pending[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
      let parameters = String(decoding: pending[2..<end], as: UTF8.self)
      return (.sequence(parameters: parameters, final: Character(Unicode.Scalar(pending[end]))), end + 1)
    }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard pending.count >= length else { return nil }
    let text = String(decoding: pending[..<length], as: UTF8.self)
    return (.scalar(text.unicodeScalars.first ?? "\u{FFFD}"), length)
  }

  private mutating func show(_ unit: Unit) {
    switch unit {
    case .scalar("\r"): cursor.column = 0
    case .scalar("\n"):
      cursor.row += 1
      scroll()
    case .scalar(let scalar) where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
      unknown.append("\(scalar.value)")
    case .scalar(let scalar):
      if cursor.column >= size.columns {
        if wraps { cursor = (cursor.row + 1, 0) } else { cursor.column = size.columns - 1 }
        scroll()
      }
      cells[cursor.row][cursor.column] = scalar
      cursor.column += 1
    case .sequence(let parameters, let final): perform(parameters, final)
    }
  }

  private mutating func scroll() {
    guard cursor.row >= size.rows else { return }
    cells.removeFirst()
    cells.append(Array(repeating: " ", count: size.columns))
    cursor.row = size.rows - 1
  }

  private mutating func perform(_ parameters: String, _ final: Character) {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    switch (final, parameters) {
    case ("H", _) where numbers.count == 2:
      cursor = (min(numbers[0], size.rows) - 1, min(numbers[1], size.columns) - 1)
    case ("G", _) where numbers.count == 1: cursor.column = min(numbers[0], size.columns) - 1
    case ("J", "2"): cells = Self.empty(size.rows, size.columns)
    case ("K", "2"):
      cells[cursor.row] = Array(repeating: " ", count: size.columns)
      erasedLines += 1
    case ("m", _): break
    case ("h", "?1049"):
      if !isAlternate { (main, cells) = (cells, Self.empty(size.rows, size.columns)) }
      isAlternate = true
    case ("l", "?1049"):
      if isAlternate { cells = main }
      isAlternate = false
    case ("h", "?25"), ("l", "?25"): showsCursor = final == "h"
    case ("h", "?7"), ("l", "?7"): wraps = final == "h"
    default: unknown.append("CSI \(parameters)\(final)")
    }
  }
}
