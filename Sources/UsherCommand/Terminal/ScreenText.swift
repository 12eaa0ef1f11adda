// SPDX-License-Identifier: Apache-2.0
import RemoteProtocol

/// A text that can stand in one line of a screen: it contains no control characters, and its width in cells is known.
struct ScreenText: Hashable {
  /// The number of Unicode scalars of a character that are shown, because any number of combining characters may follow one letter.
  private static let maximumScalars = 12

  /// The text, safe for a terminal.
  let text: String
  /// The number of cells that it takes at most.
  let width: Int

  /// Creates a text of any other text.
  ///
  /// U+FFFD replaces control characters, line separators, bidirectional controls, and combining characters without a letter: a text from
  /// outside must neither control the terminal nor change other texts.
  init(_ text: String) {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      self.init(safe: text, width: text.utf8.count)
      return
    }
    var (safe, width) = ("", 0)
    for character in text {
      let shown = Self.shown(character)
      safe.append(shown)
      width += CellWidth.of(shown)
    }
    self.init(safe: safe, width: width)
  }

  private init(safe text: String, width: Int) {
    self.text = text
    self.width = width
  }

  private static func shown(_ character: Character) -> Character {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, CellWidth.of(first) > 0, !scalars.contains(where: isUnsafe) else {
      return "\u{FFFD}"
    }
    guard scalars.count > maximumScalars else { return character }
    var short = ""
    short.unicodeScalars.append(contentsOf: scalars.prefix(maximumScalars))
    return short.first ?? "\u{FFFD}"
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    // A terminal may take the separators of lines and paragraphs for line breaks.
    scalar.changesDisplay || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  /// Returns the text if it fits in a number of cells, otherwise its beginning and an ellipsis.
  func truncated(to cells: Int) -> ScreenText {
    guard width > cells else { return self }
    guard cells > 0 else { return ScreenText(safe: "", width: 0) }
    let start = prefix(of: text[...], in: cells - 1)
    return ScreenText(safe: start.text + "…", width: start.width + 1)
  }

  /// Returns the text if it fits in a number of cells, otherwise an ellipsis and its end.
  func truncatedAtStart(to cells: Int) -> ScreenText {
    guard width > cells, cells > 0 else { return truncated(to: cells) }
    var (left, start) = (width, text.startIndex)
    while left > cells - 1, start < text.endIndex {
      left -= CellWidth.of(text[start])
      start = text.index(after: start)
    }
    return ScreenText(safe: "…" + text[start...], width: left + 1)
  }

  /// Returns the text in lines of at most a number of cells, which end at spaces where possible.
  func wrapped(to cells: Int) -> [ScreenText] {
    // A wide character needs two cells.
    let cells = max(2, cells)
    guard width > cells else { return [self] }
    var lines: [ScreenText] = []
    var line = ScreenText(safe: "", width: 0)
    for word in text.split(separator: " ") {
      var rest = word
      while !rest.isEmpty {
        let gap = line.width > 0 ? 1 : 0
        let part = prefix(of: rest, in: cells - line.width - gap)
        // A character that needs more than a line is replaced.
        if part.width == 0, line.width == 0 {
          line = ScreenText(safe: "\u{FFFD}", width: 1)
          rest = rest.dropFirst()
          continue
        }
        // A word is divided only if it needs more than a line.
        if part.text.utf8.count == rest.utf8.count || line.width == 0 {
          line = ScreenText(
            safe: line.text + (gap > 0 ? " " : "") + part.text, width: line.width + gap + part.width)
          rest = rest.dropFirst(part.text.count)
          if rest.isEmpty { break }
        }
        lines.append(line)
        line = ScreenText(safe: "", width: 0)
      }
    }
    return line.width > 0 ? lines + [line] : lines
  }

  /// Returns the longest beginning of a part of the text that fits in a number of cells.
  private func prefix(of part: Substring, in cells: Int) -> ScreenText {
    var width = 0
    var end = part.startIndex
    while end < part.endIndex {
      let next = width + CellWidth.of(part[end])
      if next > cells { break }
      width = next
      end = part.index(after: end)
    }
    return ScreenText(safe: String(part[..<end]), width: width)
  }
}

extension [String] {
  /// The texts, with spaces up to the width of the widest, so that a terminal shows them as a column.
  var asColumn: [String] { zip(self, columnGaps).map(+) }

  /// The spaces after each text up to the width of the widest.
  var columnGaps: [String] {
    let widths = map { ScreenText($0).width }
    let widest = widths.max() ?? 0
    return widths.map { String(repeating: " ", count: widest - $0) }
  }
}
