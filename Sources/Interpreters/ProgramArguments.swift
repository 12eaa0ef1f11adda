// SPDX-License-Identifier: Apache-2.0
/// The arguments of a command that select the program or the file of code that it runs.
///
/// ```swift
/// ProgramArguments(["nice", "-n", "5", "{x}"]).selection(at: 3)        // .program, of nice
/// ProgramArguments(["python3", "tool.py", "{x}"]).selection(at: 2)     // nil
/// ```
///
/// The options and operands of each program are data (`ProgramRunner.known`). An option that is not among them may have a value,
/// so that one more operand may be the program.
package struct ProgramArguments {
  /// The selection of a program or of code by an argument.
  package struct Selection: Hashable, Sendable {
    /// The role of the argument.
    package enum Kind: Hashable, Sendable {
      /// A program, a script, or an application.
      case program
      /// A program or code, by the value of an option.
      case option
      /// The value of a variable by which programs load code.
      case variable
    }

    /// The name of the program that runs what is selected, without directory and version.
    package let program: String
    package let kind: Kind
  }

  private let words: [SplitArguments.Word]
  private let absent: Set<Int>
  private var selections: [Int: Selection] = [:]
  /// The positions of the programs among the words of the command.
  private(set) var positions: Set<Int> = []
  /// The name of the interpreter that has neither a script nor code, and so reads code from its standard input; `nil` if all have some.
  private(set) var readerOfInput: String?

  /// Analyzes a command whose first element is the program.
  ///
  /// - Parameter absent: The indices of the elements that may be left out.
  package init(_ elements: [String], absent: Set<Int> = []) {
    let split = SplitArguments(elements)
    words = split.words
    self.absent = absent
    guard !split.isTooLong else {
      for word in words { select(word, of: elements.first ?? "", .option) }
      return
    }
    var pending = words.isEmpty ? [] : [0]
    while let start = pending.popLast() {
      if positions.insert(start).inserted { pending += programs(after: start) }
    }
  }

  /// Returns what the argument at `index` selects; `nil` if it is only data of the program.
  package func selection(at index: Int) -> Selection? { selections[index] }

  /// Records the selections by the arguments of the program at `start`, and returns the positions of the programs that it runs.
  private mutating func programs(after start: Int) -> [Int] {
    let name = ProgramRunner.name(of: words[start].text)
    guard let runner = ProgramRunner.known[name] else { return [] }
    var scan = ProgramScan(runner)
    var found: [Int] = []
    var position = start + 1
    while position < words.count, !scan.isComplete {
      let word = words[position]
      // Without a missing option, the operands keep their positions.
      if absent.contains(word.index), !word.text.hasPrefix("-") { scan.widen() }
      switch scan.read(word.text, at: position) {
      case .nothing: break
      case .values(let count):
        for value in words.dropFirst(position + 1).prefix(count) where absent.contains(value.index) {
          scan.widen()
        }
        position += count
      case .selection(let kind): select(word, of: name, kind)
      case .nextSelection:
        guard position + 1 < words.count else { break }
        position += 1
        select(words[position], of: name, .option)
        found.append(position)
      }
      position += 1
    }
    if runner.readsInput, scan.runsNoCode, scan.programs.allSatisfy({ Self.inputs.contains(words[$0].text) })
    {
      readerOfInput = name
    }
    if runner.readsCommands, !scan.hasCode { readerOfInput = name }
    for operand in scan.programs {
      select(words[operand], of: name, .program)
      found.append(operand)
    }
    return found
  }

  /// The scripts that are the standard input.
  private static let inputs: Set<String> = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]

  private mutating func select(_ word: SplitArguments.Word, of program: String, _ kind: Selection.Kind) {
    selections[word.index] = selections[word.index] ?? Selection(program: program, kind: kind)
  }
}

/// The state while the arguments of one program are read.
private struct ProgramScan {
  enum Effect {
    case nothing
    /// The next arguments are values.
    case values(Int)
    case selection(ProgramArguments.Selection.Kind)
    case nextSelection
  }

  private let runner: ProgramRunner
  /// The subcommand whose operands follow; `nil` before it, and if the program has none.
  private var subcommand: String?
  private var operands: [Int] = []
  private var isAfterOptions = false
  /// The number of operands that may be the program.
  private var width = 1
  /// The number of options that may have a value.
  private var unknown = 0
  /// Indicates whether no operand is a program, because an option has code or the subcommand runs none.
  private var runsNoOperand: Bool

  init(_ runner: ProgramRunner) {
    self.runner = runner
    runsNoOperand = !runner.runsOperand
  }

  private var operandsBefore: Int { subcommand.flatMap { runner.subcommands[$0] } ?? runner.operandsBefore }

  /// Indicates whether the program is found, so that all further arguments are its own.
  var isComplete: Bool { !runsNoOperand && operands.count >= operandsBefore + width }

  /// The positions of the operands that may be the program.
  var programs: [Int] { runsNoOperand ? [] : Array(operands.dropFirst(operandsBefore).prefix(width)) }

  /// Records that an argument may be missing, or may have a value, so that the program may be one operand later.
  mutating func widen() {
    width += 1
    unknown += 1
  }

  /// Indicates whether an option has code or a script.
  private(set) var hasCode = false

  /// Indicates whether no option has a script or code.
  var runsNoCode: Bool { !runsNoOperand }

  mutating func read(_ word: String, at position: Int) -> Effect {
    // Also behind the operands before the program, as in `distrobox enter NAME -- PROGRAM`.
    if word == "--", !isAfterOptions || operands.count <= operandsBefore {
      isAfterOptions = true
      return .nothing
    }
    guard !isAfterOptions, let word = runner.optionWord(word) else { return readOperand(word, at: position) }
    if runner.isJoinedProgram(word) { return .selection(.option) }
    let option = runner.effect(of: word, findsCode: false)
    return effect(of: option.option, isLast: option.isLast)
  }

  /// Returns the effect of an option; `isLast` indicates that its value is not in the same argument.
  private mutating func effect(of option: ProgramRunner.Option?, isLast: Bool) -> Effect {
    switch option {
    case .flag, .attached: return .nothing
    case .values(let count): return isLast ? .values(count) : .nothing
    case .program, .commandLine: return isLast ? .nextSelection : .selection(.option)
    case .script:
      (runsNoOperand, hasCode) = (true, true)
      return isLast ? .nextSelection : .selection(.option)
    case .code:
      (runsNoOperand, hasCode) = (true, true)
      return isLast ? .values(1) : .nothing
    case nil:
      if isLast { widen() }
      return .nothing
    }
  }

  private mutating func readOperand(_ word: String, at position: Int) -> Effect {
    if runner.takesVariables, operands.isEmpty, let sign = word.firstIndex(of: "=") {
      let name = word[..<sign]
      return name.contains("{") || ProgramRunner.loads(variable: name) ? .selection(.variable) : .nothing
    }
    if !runner.subcommands.isEmpty, subcommand == nil {
      // A word that is no subcommand may be the value of an unknown option.
      let isKnown = runner.subcommands[word] != nil
      if isKnown {
        (subcommand, operands) = (word, [])
      } else if runner.subcommands[""] != nil {
        // The program may be named without a subcommand.
        operands.append(position)
        if unknown == 0 { (subcommand, isAfterOptions) = ("", true) }
      } else if unknown == 0 {
        (subcommand, runsNoOperand) = (word, true)
      }
      unknown = max(0, unknown - 1)
      return .nothing
    }
    operands.append(position)
    // The options of most programs end at the first operand; those of programs that run no operand may follow it.
    isAfterOptions = isAfterOptions || !runsNoOperand
    return .nothing
  }
}
