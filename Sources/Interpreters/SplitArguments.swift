// SPDX-License-Identifier: Apache-2.0
/// The elements of a command, with the arguments into which `env -S` splits an element behind it.
///
/// ```swift
/// SplitArguments(["env", "-S", "sh -c", "{x}"]).words.map(\.text)      // env, -S, sh -c, sh, -c, {x}
/// ```
struct SplitArguments {
  struct Word {
    let text: String
    /// The index of the element from which the word is.
    let index: Int
    /// Indicates whether the word is only a part of its element.
    var isSplit = false
  }

  private(set) var words: [Word] = []

  /// Indicates whether so many words are parts of elements that the command is not analyzed.
  ///
  /// Each of them could be the interpreter of all further ones, so that the work would grow with the square of their number.
  private(set) var isTooLong = false

  static let maximumWords = 512

  init(_ elements: [String]) {
    // Options of the program that `env` runs count as well, because the value of an option cannot be distinguished from that program.
    var isAfterEnv = false
    var splitsNext = false
    for (index, text) in elements.enumerated() {
      words.append(Word(text: text, index: index))
      if splitsNext {
        add(text, index)
        splitsNext = false
      } else if ProgramRunner.name(of: text) == "env" {
        isAfterEnv = true
      } else if isAfterEnv, text.hasPrefix("-") {
        if let attached = Self.option.value(in: text) {
          if attached.isEmpty { splitsNext = true } else { add(attached, index) }
        }
      }
    }
  }

  /// The forms of the option whose value is split.
  private static let option = SplitOption(letter: "S", name: "--split-string", valueLetters: "uC")

  private mutating func add(_ text: String, _ index: Int) {
    words += Self.split(text).map { Word(text: $0, index: index, isSplit: true) }
    isTooLong = isTooLong || words.count { $0.isSplit } > Self.maximumWords
  }

  /// Splits a text at blanks outside of quotes.
  private static func split(_ text: String) -> [String] {
    var (words, word, quote, isEscaped) = ([String](), String?.none, Unicode.Scalar?.none, false)
    func append(_ scalar: Unicode.Scalar) {
      if word == nil { word = "" }
      word?.unicodeScalars.append(scalar)
    }
    // Scalars, because a quote with a combining mark is another `Character`.
    for scalar in text.unicodeScalars where words.count <= maximumWords {
      if isEscaped {
        append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if let open = quote {
        if scalar == open { quote = nil } else { append(scalar) }
      } else if scalar == "'" || scalar == "\"" {
        quote = scalar
        word = word ?? ""
      } else if scalar.properties.isWhitespace {
        if let ended = word { words.append(ended) }
        word = nil
      } else {
        append(scalar)
      }
    }
    if let ended = word { words.append(ended) }
    return words
  }
}

/// An option whose value is split into arguments.
private struct SplitOption {
  let letter: Character
  let name: String
  /// The short options with a value, which end a cluster.
  let valueLetters: String

  /// Returns the value in the same argument, empty if the next argument is the value; `nil` for another option.
  func value(in text: String) -> String? {
    if text == name { return "" }
    if text.hasPrefix(name + "=") { return String(text.dropFirst(name.count + 1)) }
    guard !text.hasPrefix("--") else { return nil }
    let cluster = text.dropFirst().prefix { !valueLetters.contains($0) }
    return cluster.firstIndex(of: letter).map { String(text[text.index(after: $0)...]) }
  }
}
