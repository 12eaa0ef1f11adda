// SPDX-License-Identifier: Apache-2.0
import Interpreters

extension ExecLine {
  /// An argument of a command whose values are not yet inserted.
  struct OpenArgument {
    /// A part of an argument.
    enum Part {
      case text([UInt8])
      /// The values of a field code; several only for a list that is a part of its argument.
      case values([[UInt8]], of: FieldCode)
    }

    var parts: [Part]

    /// The word by which interpreters are recognized; a value is not an option.
    fileprivate var word: String {
      String(
        decoding: parts.flatMap { part -> [UInt8] in
          if case .text(let text) = part { text } else { Array("%u".utf8) }
        }, as: UTF8.self)
    }

    fileprivate var hasURL: Bool {
      parts.contains { if case .values(_, let field) = $0 { field.takesURLs } else { false } }
    }

    fileprivate var isLocalFile: Bool {
      guard parts.count == 1, case .values(let values, _) = parts[0] else { return false }
      return values.allSatisfy { $0.first == UInt8(ascii: "/") }
    }

    /// Indicates whether the text beside the values has characters with a meaning to a shell.
    fileprivate var mayBeCode: Bool {
      parts.contains { if case .text(let text) = $0 { !text.allSatisfy(ShellCode.isPlain) } else { false } }
    }

    fileprivate var hasValue: Bool { hasValue(with: "") }

    /// Returns whether a value contains one of these characters; whether there is a value if there are none.
    fileprivate func hasValue(with marks: String) -> Bool {
      parts.contains {
        guard case .values(let values, _) = $0 else { return false }
        return marks.isEmpty || values.joined().contains(where: marks.utf8.contains)
      }
    }

    /// The arguments of a program that does not interpret them: a list becomes several.
    fileprivate var arguments: [ProgramArgument] {
      var (arguments, current) = ([ProgramArgument](), [UInt8]())
      for part in parts {
        switch part {
        case .text(let text): current += text
        case .values(let values, _):
          for (number, value) in values.enumerated() {
            if number > 0 {
              arguments.append(ProgramArgument(bytes: current))
              current = []
            }
            current += value
          }
        }
      }
      return arguments + [ProgramArgument(bytes: current)]
    }
  }

  /// The advice to pass a link to a shell without making it a part of its code.
  public static let safeFormOfCode = #"pass it as an argument after the code: sh -c 'PROGRAM "$1"' sh %u"#

  /// Returns the name of the first interpreter that would run a URL or a path as code; otherwise `nil`.
  static func interpreter(in arguments: [OpenArgument]) -> String? {
    InterpretedArguments(arguments.map(\.word)).code.first { code in
      code.arguments.contains { arguments[$0].hasURL }
    }?.program ?? programWithURLAsOption(in: arguments)
  }

  /// Returns the name of the first program that runs what an option names, if a URL is its value: `ssh` for `ssh -o ProxyCommand=%u`;
  /// otherwise `nil`.
  ///
  /// A local file that is the whole value is meant to be run, as in `make -f %f`. A value beside code is quoted instead.
  private static func programWithURLAsOption(in arguments: [OpenArgument]) -> String? {
    let programs = ProgramArguments(arguments.map(\.word))
    return arguments.indices.lazy.compactMap { index -> String? in
      let argument = arguments[index]
      guard argument.hasURL, !argument.isLocalFile, !argument.mayBeCode,
        let selection = programs.selection(at: index), selection.kind == .option
      else { return nil }
      return selection.program
    }.first
  }

  /// Returns whether one of the arguments from the index `start` on selects the program, the script or the code that another program runs.
  static func selectsProgram(in arguments: [OpenArgument], from start: Int) -> Bool {
    let words = arguments.map(\.word)
    let (programs, interpreted) = (ProgramArguments(words), InterpretedArguments(words))
    return words.indices.dropFirst(start).contains {
      programs.selection(at: $0) != nil || interpreted.takesAsCode($0)
    }
  }

  /// Inserts the values of a command: into code as words that the interpreter reads as text, elsewhere as they are.
  ///
  /// An argument that has more than plain text beside a value may be code, whatever its program: the value is a word of a shell there, too, as
  /// GIO inserts it. Without such text, an option that selects a program or code gets no URL.
  ///
  /// - Throws: `FreedesktopError.valueInCode` if a value could be run as code.
  static func inserting(_ arguments: [OpenArgument]) throws(FreedesktopError) -> [ProgramArgument] {
    guard arguments.contains(where: \.hasValue) else { return arguments.flatMap(\.arguments) }
    if let program = programWithURLAsOption(in: arguments) { throw .valueInCode(program: program) }
    let program = arguments[0].word.split(separator: "/").last.map(String.init) ?? ""
    var arguments = arguments
    for code in InterpretedArguments(arguments.map(\.word)).code {
      try insert(&arguments, into: code)
    }
    for index in arguments.indices {
      guard quoteValues(in: &arguments[index]) else { throw .valueInCode(program: program) }
    }
    return arguments.flatMap(\.arguments)
  }

  /// Puts the links and paths of an argument that may be code of a shell in single quotes, where they are not in quotes already.
  ///
  /// - Returns: `false` if a value could end the quotes that it is in, or has characters with a meaning in a substitution or in
  ///   code for another interpreter.
  private static func quoteValues(in argument: inout OpenArgument) -> Bool {
    guard argument.mayBeCode else { return true }
    let code = argument.parts.map { part in if case .text(let text) = part { text } else { nil as [UInt8]? } }
    var places = ShellCode(code).places[...]
    for (number, part) in argument.parts.enumerated() {
      guard case .values(let values, let field) = part else { continue }
      let place = places.popFirst() ?? .forbidden
      guard field.takesURLs else { continue }
      switch place {
      case .word, .program:
        let words = values.map { $0.allSatisfy(ShellCode.isPlain) ? $0 : quoted($0, .posixShell) ?? $0 }
        argument.parts[number] = .text(Array(words.joined(separator: [0x20])))
      case .quoted:
        guard values.joined().allSatisfy({ !"\\$`'\"".utf8.contains($0) }) else { return false }
      case .enclosed, .forbidden:
        guard values.joined().allSatisfy(ShellCode.isPlain) else { return false }
      }
    }
    return true
  }

  private static func insert(
    _ arguments: inout [OpenArgument], into code: InterpretedArguments.Code
  ) throws(FreedesktopError) {
    guard code.arguments.contains(where: { arguments[$0].hasValue(with: code.marks) }) else { return }
    var parts: [[UInt8]?] = []
    for index in code.arguments {
      if !parts.isEmpty { parts.append([0x20]) }
      for (number, part) in arguments[index].parts.enumerated() {
        switch part {
        case .text(let text):
          guard let text = number == 0 ? codeOf(text) : text else {
            throw .valueInCode(program: code.program)
          }
          parts.append(text)
        case .values: parts.append(nil)
        }
      }
    }
    let places = ShellCode(parts, isPOSIX: code.language == .posixShell).places
    var place = places.startIndex
    for index in code.arguments {
      for (number, part) in arguments[index].parts.enumerated() {
        guard case .values(let values, let field) = part else { continue }
        defer { place += 1 }
        var inserted: [[UInt8]] = []
        for value in values {
          guard let text = text(of: value, field, at: places[place], code.language) else {
            throw .valueInCode(program: code.program)
          }
          inserted.append(text)
        }
        arguments[index].parts[number] = .text(Array(inserted.joined(separator: [0x20])))
      }
    }
  }

  /// Returns the code in `--option=CODE`; `nil` if it follows another option in its argument, as in `-sCODE`.
  private static func codeOf(_ text: [UInt8]) -> [UInt8]? {
    guard text.first == UInt8(ascii: "-") else { return text }
    guard let sign = text.firstIndex(of: UInt8(ascii: "=")), !text[..<sign].contains(0x20) else { return nil }
    return Array(text[(sign + 1)...])
  }

  /// Returns the text that represents a value in code; `nil` if none does safely.
  private static func text(
    of value: [UInt8], _ field: FieldCode, at place: ShellCode.Place,
    _ language: InterpretedArguments.Language
  ) -> [UInt8]? {
    let isPlain = value.allSatisfy(ShellCode.isPlain)
    // The name and the place of an entry are not the author's of a link.
    guard field.takesURLs else {
      let isHarmless = isPlain || value.allSatisfy { ShellCode.isPlain($0) || $0 == 0x20 }
      guard place == .word, language != .other, !isPlain else { return isHarmless ? value : nil }
      return quoted(value, language)
    }
    guard place != .forbidden, place != .program, language != .other else { return nil }
    if isPlain { return value }
    return place == .word ? quoted(value, language) : nil
  }

  private static func quoted(_ value: [UInt8], _ language: InterpretedArguments.Language) -> [UInt8]? {
    let quote = UInt8(ascii: "'")
    guard language == .posixShell else {
      let isClear = value.allSatisfy { $0 >= 0x20 && $0 != 0x7F && !"'\\!".utf8.contains($0) }
      return isClear ? [quote] + value + [quote] : nil
    }
    return [quote] + value.flatMap { $0 == quote ? Array(#"'\''"#.utf8) : [$0] } + [quote]
  }
}
