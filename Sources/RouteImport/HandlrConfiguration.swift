// SPDX-License-Identifier: Apache-2.0
import RouteFiles
import RouteTables

/// Reads the regex handlers of handlr-regex's `handlr.toml`.
///
/// handlr compares each expression with the URL as a parser of the WHATWG URL standard writes it, at any position
/// (`Regex::is_match`). The first handler of which one expression matches runs its command, which is split into arguments, not
/// passed to a shell.
enum HandlrConfiguration {
  static func rules(_ text: String, file: String) throws(ImportError) -> ImportedRules {
    let document: TomlDocument
    do {
      document = try TomlDocument(text, file: file)
    } catch {
      throw .invalidFile(
        at: SourceLocation(file: file, line: error.line, column: error.column), reason: error.message)
    }
    var result = ImportedRules()
    guard case .table(let members) = document.root.content else { return result }
    for member in members {
      guard member.key == "handlers" else {
        result.leaveOut(member.key, at: member.keyLocation, "it is a setting of handlr itself")
        continue
      }
      guard case .array(let handlers) = member.value.content else {
        throw .invalidFile(
          at: member.keyLocation, reason: "`handlers` is \(member.value.kindName), not a list of tables")
      }
      for handler in handlers { read(handler, into: &result) }
    }
    result.remarks.append(
      "handlr also compares paths of files with its expressions; these routes match links only.")
    return result
  }

  private static func read(_ handler: TomlValue, into result: inout ImportedRules) {
    guard case .table(let members) = handler.content else {
      result.leaveOut(handler.kindName, at: handler.location, "it is not a table")
      return
    }
    let command = text(of: "exec", in: members)
    let expressions = list(of: "regexes", in: members)
    let title =
      "exec = \((command ?? "").inQuotes), regexes = [\(expressions.map { $0.text.inQuotes }.joined(separator: ", "))]"
    guard let command, !expressions.isEmpty else {
      result.leaveOut(title, at: handler.location, "the handler has no `exec` or no `regexes`")
      return
    }
    if case .boolean(true)? = members.first(where: { $0.key == "terminal" })?.value.content {
      result.leaveOut(
        title, at: handler.location,
        "`terminal = true`: write a route whose `exec` begins with your terminal, such as [\"xterm\", \"-e\", …]"
      )
      return
    }
    guard let arguments = arguments(of: command), !arguments.isEmpty else {
      result.leaveOut(title, at: handler.location, "the quotation marks of `exec` are not paired")
      return
    }
    var conditions: [SourceCondition] = []
    for expression in expressions {
      if let scheme = scheme(of: expression.text) {
        conditions.append(SourceCondition(matcher: .scheme(scheme), text: expression.text))
        continue
      }
      do throws(ImportError) {
        let parsed = try TextExpressionParser.parse(expression.text)
        conditions.append(SourceCondition(matcher: .search(parsed), text: expression.text))
      } catch {
        result.leaveOut(expression.text, at: expression.location, error.description)
      }
    }
    // No pattern matches every URL of a scheme as the key `scheme` does, so that a route has patterns or schemes.
    let isScheme = { (condition: SourceCondition) in
      if case .scheme = condition.matcher { true } else { false }
    }
    for part in [conditions.filter(isScheme), conditions.filter { !isScheme($0) }] where !part.isEmpty {
      result.rules.append(
        ImportedRule(
          location: handler.location, text: title.inOneShortLine, conditions: part,
          action: .program(arguments)))
    }
  }

  /// Returns the scheme if an expression matches all URLs of one scheme and no others: `^steam:`, `^steam:.*`.
  private static func scheme(of expression: String) -> String? {
    guard expression.hasPrefix("^") else { return nil }
    var rest = expression.dropFirst()
    // `$` directly behind the colon matches only the scheme.
    for ending in [".*$", ".*"] where rest.hasSuffix(ending) { rest = rest.dropLast(ending.count) }
    guard rest.hasSuffix(":") else { return nil }
    let name = rest.dropLast()
    let isName =
      name.first?.isLetter == true
      && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    // The structure of web URLs is read from the expression instead.
    return isName && !name.hasPrefix("http") ? String(name) : nil
  }

  /// Returns the arguments of a command line, with the URL in the position of `%u`, `%U`, `%f` or `%F`, or at the end.
  private static func arguments(of command: String) -> [String]? {
    guard let words = words(of: command) else { return nil }
    var hasURL = false
    var arguments = words.map { word in
      var argument = word.withDoubledBraces
      for code in ["%u", "%U", "%f", "%F"] where argument.contains(code) {
        argument = argument.replacing(code, with: "{@url}")
        hasURL = true
      }
      return argument
    }
    if !hasURL { arguments.append("{@url}") }
    return arguments
  }

  private static func words(of command: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var mark: Unicode.Scalar?
    var isEscaped = false
    for scalar in command.unicodeScalars {
      if isEscaped {
        word = (word ?? "") + String(scalar)
        isEscaped = false
      } else if scalar == "\\", mark != "'" {
        isEscaped = true
      } else if scalar == mark {
        mark = nil
      } else if mark == nil, scalar == "'" || scalar == "\"" {
        mark = scalar
        word = word ?? ""
      } else if mark == nil, scalar == " " || scalar == "\t" {
        if let finished = word { words.append(finished) }
        word = nil
      } else {
        word = (word ?? "") + String(scalar)
      }
    }
    guard mark == nil, !isEscaped else { return nil }
    if let word { words.append(word) }
    return words
  }

  private static func text(of key: String, in members: [TomlMember]) -> String? {
    if case .string(let text)? = members.first(where: { $0.key == key })?.value.content { text } else { nil }
  }

  private static func list(of key: String, in members: [TomlMember]) -> [(
    text: String, location: SourceLocation
  )] {
    guard case .array(let values)? = members.first(where: { $0.key == key })?.value.content else { return [] }
    return values.compactMap { value in
      if case .string(let text) = value.content { (text, value.location) } else { nil }
    }
  }
}
