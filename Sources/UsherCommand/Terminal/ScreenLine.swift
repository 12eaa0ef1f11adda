// SPDX-License-Identifier: Apache-2.0
/// A line of a screen: texts at columns.
struct ScreenLine: Hashable {
  /// A text in the line.
  struct Part: Hashable {
    /// The column, from 0.
    let column: Int
    let text: ScreenText
    let emphasis: StyledText.Emphasis?
  }

  /// The texts, from the left.
  private(set) var parts: [Part] = []
  /// A Boolean value that indicates whether the line is shown in reverse.
  var isSelected = false

  /// Creates an empty line.
  init() {}

  /// Creates a line with one text.
  init(_ text: String, in columns: Int, at column: Int = 0, as emphasis: StyledText.Emphasis? = nil) {
    add(ScreenText(text), at: column, width: columns - column, as: emphasis)
  }

  /// Adds a text behind the others, truncated to a width.
  mutating func add(
    _ text: ScreenText, at column: Int, width: Int, as emphasis: StyledText.Emphasis? = nil
  ) {
    let shown = text.truncated(to: width)
    guard shown.width > 0 else { return }
    parts.append(Part(column: column, text: shown, emphasis: emphasis))
  }

  /// Adds a text behind the others, truncated to a width.
  mutating func add(_ text: String, at column: Int, width: Int, as emphasis: StyledText.Emphasis? = nil) {
    add(ScreenText(text), at: column, width: width, as: emphasis)
  }

  /// The first column behind the texts.
  var end: Int { parts.last.map { $0.column + $0.text.width } ?? 0 }

  /// Returns the bytes for a terminal, whose cursor is in the line.
  ///
  /// Each text is written at its column, because terminals disagree about the width of some characters.
  func written(columns: Int, isColoured: Bool) -> String {
    // The line is erased first: erasing its end after the last column was written would erase that column.
    var line = "\u{1B}[2K"
    let isReversed = isSelected && isColoured
    if isReversed { line += "\u{1B}[1G\u{1B}[7m\(String(repeating: " ", count: columns))\u{1B}[0m" }
    for part in parts {
      line += "\u{1B}[\(part.column + 1)G"
      let styles = [isReversed ? "7" : nil, isColoured ? part.emphasis?.rawValue : nil].compactMap(\.self)
      line +=
        styles.isEmpty
        ? part.text.text : "\u{1B}[\(styles.joined(separator: ";"))m\(part.text.text)\u{1B}[0m"
    }
    return line
  }

  /// The line as text, with spaces between the texts.
  var text: String {
    var (line, column) = ("", 0)
    for part in parts {
      line += String(repeating: " ", count: max(0, part.column - column)) + part.text.text
      column = part.column + part.text.width
    }
    return line
  }
}

/// The number of rows and columns of a screen.
struct ScreenSize: Hashable {
  let rows: Int
  let columns: Int
}

/// The complete content of a screen.
struct ScreenFrame: Equatable {
  /// A position on a screen, from 0.
  struct Position: Equatable {
    let row: Int
    let column: Int
  }

  let size: ScreenSize
  /// The lines, at most as many as the screen has rows.
  let lines: [ScreenLine]
  /// The position of the cursor; `nil` hides it.
  var cursor: Position?
}
