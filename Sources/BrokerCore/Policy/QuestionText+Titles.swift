// SPDX-License-Identifier: Apache-2.0
import Freedesktop

extension QuestionText {
  /// The maximum length of an application's title, and of the name of its profile, in characters.
  private static let titleLimit = 40

  /// The text between the title of a browser and its profile.
  private static let separator = " – "

  /// The result of removing from a title what could deceive.
  private struct CleanTitle {
    let text: String
    /// A Boolean value that indicates whether the title could be taken for that of another application.
    let mayDeceive: Bool
  }

  /// Returns the labels of applications to choose from: their titles, and their IDs only where a title does not identify the application.
  ///
  /// - Parameter other: The label of another button, which no application has alone.
  static func labels(_ applications: [(id: ApplicationID, title: String?)], beside other: String) -> [String]
  {
    let titles = applications.map { application in
      application.title.map { clean($0, keepsMarkup: true) } ?? CleanTitle(text: "", mayDeceive: true)
    }
    let shown = titles.map { short($0.text) }
    let counts = Dictionary(
      (shown + [other]).map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
    return zip(applications, zip(titles, shown)).map { application, title in
      let (id, text) = (self.shown(application.id), title.1)
      guard !text.isEmpty else { return id }
      let isUnique = counts[text.lowercased()] == 1
      return isUnique && !title.0.mayDeceive ? isolated(text) : "\(isolated(text)) (\(id))"
    }
  }

  /// Returns an application's title on one line, without formatting characters, quotes, brackets, markup and stacked marks.
  ///
  /// The removed characters could imitate the broker's own punctuation or change the layout.
  static func title(_ text: String) -> String { isolated(short(clean(text, keepsMarkup: false).text)) }

  /// Returns a title of which the part before a dash and the part after it are shortened separately, so that a profile keeps its name beside a
  /// long name of the browser.
  private static func short(_ title: String) -> String {
    title.split(separator: separator, maxSplits: 1).map {
      $0.count > titleLimit ? $0.prefix(titleLimit) + "…" : $0
    }.joined(separator: separator)
  }

  /// Isolates right-to-left text, which would otherwise reorder the adjacent text.
  private static func isolated(_ title: String) -> String {
    title.unicodeScalars.contains(where: runsLeft) ? "\u{2068}\(title)\u{2069}" : title
  }

  /// Removes characters that are invisible, or that could imitate the broker's own punctuation or change the layout.
  ///
  /// - Parameter keepsMarkup: Whether `<`, `>` and `&` remain, for a text that no backend interprets as markup.
  private static func clean(_ text: String, keepsMarkup: Bool) -> CleanTitle {
    var shown = String.UnicodeScalarView()
    var marks = 0
    var (isComplete, hasLatin, hasLookAlikes) = (true, false, false)
    // The text may be as long as a mebibyte.
    for scalar in text.unicodeScalars.prefix((titleLimit * 2 + separator.count) * 4) {
      if scalar.isASCII, scalar.properties.isAlphabetic { hasLatin = true }
      if (0x370...0x52F).contains(scalar.value) { hasLookAlikes = true }
      switch scalar.properties.generalCategory {
      case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control:
        if scalar.properties.generalCategory != .spaceSeparator { isComplete = false }
        if shown.last != " ", !shown.isEmpty { shown.append(" ") }
        continue
      case _ where scalar.properties.isDefaultIgnorableCodePoint || isBlank(scalar):
        // An emoji in colour has a variation selector.
        if !scalar.properties.isVariationSelector { isComplete = false }
        continue
      case .nonspacingMark, .spacingMark:
        marks += 1
        guard marks <= 2 else { break }
        shown.append(scalar)
        continue
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber,
        .letterNumber, .otherNumber, .dashPunctuation, .connectorPunctuation, .mathSymbol, .currencySymbol,
        .otherSymbol:
        marks = 0
        guard keepsMarkup || scalar != "<" && scalar != ">" else { break }
        shown.append(scalar)
        continue
      case .modifierSymbol where (0x1F3FB...0x1F3FF).contains(scalar.value):
        shown.append(scalar)
        continue
      case .otherPunctuation where ".,!'+*#/".unicodeScalars.contains(scalar) || keepsMarkup && scalar == "&":
        marks = 0
        shown.append(scalar)
        continue
      default: break
      }
      isComplete = false
    }
    if shown.last == " " { shown.removeLast() }
    return CleanTitle(text: String(shown), mayDeceive: !isComplete || hasLatin && hasLookAlikes)
  }

  /// Returns whether a symbol is blank, or stands for a missing character.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    ["\u{2800}", "\u{FFFC}", "\u{FFFD}"].contains(scalar)
  }

  private static func runsLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}
