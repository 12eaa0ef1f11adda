/// A set of texts that a finite automaton decides: what a capture's type takes.
///
/// ```swift
/// let code = try RegularLanguage("[A-Z]{2}-[0-9]{4,8}")
/// code.contains("AB-1234")   // true
/// let wide = try RegularLanguage("[A-Z0-9-]+")
/// code.isSubset(of: wide)    // true
/// ```
///
/// Equal languages are equal values, however they were written.
public struct RegularLanguage: Hashable, Sendable {
  /// The states that a language's automaton may have; what needs more is refused.
  public static let maximumStates = 1_024

  /// One reference for all copies.
  private final class Storage: Sendable {
    let automaton: DeterministicAutomaton
    let hash: Int

    init(_ automaton: DeterministicAutomaton) {
      self.automaton = automaton
      hash = automaton.hashValue
    }
  }

  private let storage: Storage

  var automaton: DeterministicAutomaton { storage.automaton }

  /// Reads a regular expression, which the whole text must match.
  ///
  /// There are alternatives, groups, `* + ? {m} {m,} {m,n}`, `.`, classes, `\d \w \s` over ASCII, `\t \n \r \xHH \u{H…}`; no
  /// back-references, and no looking around.
  ///
  /// Throws `invalidExpression` for what is none, and `expressionTooLarge` beyond ``maximumStates``.
  public init(_ expression: String) throws(RouteTableError) {
    try self.init(RegularExpressionParser.parse(expression))
  }

  /// Only the texts of the list; throws `expressionTooLarge` beyond ``maximumStates``.
  public init(anyOf texts: [String]) throws(RouteTableError) {
    try self.init(.choice(texts.map { .literal($0) }))
  }

  init(_ expression: RegularExpression) throws(RouteTableError) {
    let automaton: DeterministicAutomaton
    do {
      automaton = try SubsetConstruction.automaton(of: NondeterministicAutomaton(expression))
    } catch {
      throw RouteTableError(.expressionTooLarge)
    }
    try self.init(automaton)
  }

  init(_ automaton: DeterministicAutomaton) throws(RouteTableError) {
    guard automaton.stateCount - 1 <= Self.maximumStates else { throw RouteTableError(.expressionTooLarge) }
    storage = Storage(automaton)
  }

  /// A language that is written down here and right; the tests read every one of them.
  init(builtIn expression: String) {
    self = (try? RegularLanguage(expression)) ?? .none
  }

  /// No text.
  static let none = RegularLanguage(
    Storage(
      DeterministicAutomaton(
        classes: ScalarClasses(runs: []), table: [0, 0], accepting: [false, false])))

  private init(_ storage: Storage) { self.storage = storage }

  /// Whether the whole text is in the language.
  public func contains(_ text: String) -> Bool {
    var run = Run(self)
    for byte in text.utf8 { run.append(byte) }
    return run.isAccepted
  }

  /// Whether no text is in the language.
  public var isEmpty: Bool { automaton.stateCount == 2 && !automaton.isAccepting[1] }

  /// Whether both have the same texts.
  public static func == (first: RegularLanguage, second: RegularLanguage) -> Bool {
    first.storage === second.storage
      || (first.storage.hash == second.storage.hash && first.automaton == second.automaton)
  }

  /// Equal languages hash equally.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.hash) }

  /// Reads a text byte by byte.
  struct Run {
    private let automaton: DeterministicAutomaton
    private var state = 1
    private var scalar: UInt32 = 0
    private var pending = 0

    init(_ language: RegularLanguage) { automaton = language.automaton }

    /// Takes the next byte of UTF-8, which has been checked.
    mutating func append(_ byte: UInt8) {
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

    var isAccepted: Bool { automaton.isAccepting[state] }
  }
}
