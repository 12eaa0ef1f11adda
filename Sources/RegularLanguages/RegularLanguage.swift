// SPDX-License-Identifier: Apache-2.0
/// A set of texts that a finite automaton decides; the type of a capture has one.
///
/// ```swift
/// let code = try RegularLanguage("[A-Z]{2}-[0-9]{4,8}")
/// code.contains("AB-1234")   // true
/// let wide = try RegularLanguage("[A-Z0-9-]+")
/// code.isSubset(of: wide)    // true
/// ```
///
/// Equal languages are equal values, regardless of the expressions from which they were created.
public struct RegularLanguage: Hashable, Sendable {
  /// The maximum number of states of a language's automaton; a larger language is rejected.
  public static let maximumStates = 1_024

  /// The storage that all copies of a language share.
  private final class Storage: Sendable {
    let automaton: DeterministicAutomaton
    let hash: Int

    init(_ automaton: DeterministicAutomaton) {
      self.automaton = automaton
      hash = automaton.hashValue
    }
  }

  private let storage: Storage

  package var automaton: DeterministicAutomaton { storage.automaton }

  /// Creates the language of a regular expression that matches complete texts.
  ///
  /// Supported are alternatives, groups, `* + ? {m} {m,} {m,n}`, `.`, character classes, `\d \w \s` over ASCII, and
  /// `\t \n \r \xHH \u{H…}`. Back-references and look-around are not supported.
  ///
  /// - Throws: `invalidExpression` if the expression is invalid, `tooLarge` beyond ``maximumStates``.
  public init(_ expression: String) throws(RegularLanguageError) {
    try self.init(RegularExpressionParser.parse(expression))
  }

  /// Creates the language of the texts in a list; throws `tooLarge` beyond ``maximumStates``.
  public init(anyOf texts: [String]) throws(RegularLanguageError) {
    try self.init(.choice(texts.map { .literal($0) }))
  }

  package init(_ expression: RegularExpression) throws(RegularLanguageError) {
    let automaton: DeterministicAutomaton
    do {
      automaton = try SubsetConstruction.automaton(of: NondeterministicAutomaton(expression))
    } catch {
      throw RegularLanguageError(.tooLarge)
    }
    try self.init(automaton)
  }

  package init(_ automaton: DeterministicAutomaton) throws(RegularLanguageError) {
    guard automaton.stateCount - 1 <= Self.maximumStates else { throw RegularLanguageError(.tooLarge) }
    storage = Storage(automaton)
  }

  /// Creates the language of an expression that is a literal in this module; the tests parse each of them.
  package init(builtIn expression: String) {
    self = (try? RegularLanguage(expression)) ?? .none
  }

  /// The empty language.
  package static let none = RegularLanguage(
    Storage(
      DeterministicAutomaton(
        classes: ScalarClasses(runs: []), table: [0, 0], accepting: [false, false])))

  private init(_ storage: Storage) { self.storage = storage }

  /// Returns whether the language contains the complete text.
  public func contains(_ text: String) -> Bool {
    var run = Run(self)
    for byte in text.utf8 { run.append(byte) }
    return run.isAccepted
  }

  /// Returns whether the language contains the complete text with these UTF-8 bytes.
  package func contains(_ text: [UInt8]) -> Bool {
    var run = Run(self)
    for byte in text { run.append(byte) }
    return run.isAccepted
  }

  /// Indicates whether the language contains no text.
  public var isEmpty: Bool { automaton.stateCount == 2 && !automaton.isAccepting[1] }

  /// Returns whether both languages contain the same texts.
  public static func == (first: RegularLanguage, second: RegularLanguage) -> Bool {
    first.storage === second.storage
      || (first.storage.hash == second.storage.hash && first.automaton == second.automaton)
  }

  /// Hashes the hash value of the automaton, which is equal for equal languages.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.hash) }

  /// A run of a language's automaton over a text, one byte at a time.
  package struct Run {
    private let automaton: DeterministicAutomaton
    private var state = 1
    private var scalar: UInt32 = 0
    private var pending = 0

    package init(_ language: RegularLanguage) { automaton = language.automaton }

    /// Consumes the next byte of valid UTF-8.
    package mutating func append(_ byte: UInt8) {
      if byte < 0x80 {
        state = automaton.next(state, Int(automaton.classes.ascii[Int(byte)]))
      } else if byte < 0xC0 {
        scalar = scalar << 6 | UInt32(byte & 0x3F)
        pending -= 1
        if pending == 0 { state = automaton.next(state, automaton.classes.number(of: scalar)) }
      } else {
        pending = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
        scalar = UInt32(byte & (0x3F >> UInt8(pending)))
      }
    }

    package var isAccepted: Bool { automaton.isAccepting[state] }
  }
}
