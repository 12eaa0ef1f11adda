// SPDX-License-Identifier: Apache-2.0
import Interpreters
import RegularLanguages

extension ActionTemplate {
  /// Returns the errors of the placeholders for a route with these patterns, each with its offset.
  ///
  /// A placeholder must name a capture of a pattern that is not a list. In a URL, a capture that may be absent needs a default,
  /// unless its placeholder is a whole segment or is part of the query or the fragment.
  public func faults(in patterns: [RoutePattern]) -> [RouteTableError] {
    var faults: [RouteTableError] = []
    for hole in holes {
      guard let sentence = sentence(on: hole, patterns) else { continue }
      faults.append(RouteTableError(.invalidCapture(sentence), at: hole.offset, pattern: text))
    }
    for case .byte(let byte) in elements where isURL {
      guard let name = byte.forbiddenName else { continue }
      faults.append(RouteTableError(.forbiddenCharacter(name), pattern: text))
      break
    }
    return faults
  }

  /// Returns the errors of an argv for a route with these patterns, each with the index of its element.
  ///
  /// In addition to the errors of each element: no placeholder may select a program or be part of code that an interpreter runs,
  /// and before `--` no captured text may be parsed as an option. The languages of the types decide the last point: a text of
  /// `{n:uint}` never begins with `-`.
  public static func faults(
    inArgv argv: [ActionTemplate], of patterns: [RoutePattern]
  ) -> [(index: Int, fault: RouteTableError)] {
    var faults: [(index: Int, fault: RouteTableError)] = []
    var isAfterDashes = false
    let dangers = dangers(inArgv: argv, of: patterns)
    for (index, element) in argv.enumerated() {
      faults += element.faults(in: patterns).map { (index, $0) }
      if let sentence = dangers[index], let hole = element.holes.first {
        faults.append(
          (index, RouteTableError(.invalidCapture(sentence), at: hole.offset, pattern: element.text)))
      }
      if index > 0, !isAfterDashes, let fault = element.optionFault(in: patterns) {
        faults.append((index, fault))
      }
      isAfterDashes = isAfterDashes || index > 0 && element.text == "--"
    }
    return faults
  }

  /// The argument with `{x}` in place of each placeholder, and with one brace for two.
  private var argument: String {
    let bytes = elements.flatMap { element -> [UInt8] in
      if case .byte(let byte) = element { [byte] } else { Array("{x}".utf8) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a sentence for each element of an argv that selects a program or is code, by its index.
  private static func dangers(inArgv argv: [ActionTemplate], of patterns: [RoutePattern]) -> [Int: String] {
    let texts = argv.map(\.argument)
    let absent = Set(argv.indices.filter { argv[$0].mayBeLeftOut(patterns) })
    let (programs, interpreted) = (ProgramArguments(texts, absent: absent), InterpretedArguments(texts))
    var dangers = [0: "a URL must not select the program: write its name"]
    for index in argv.indices.dropFirst() {
      if let code = interpreted.code(at: index), argv[index].mayContain(code.marks, patterns) {
        dangers[index] =
          "`\(code.program)` runs this argument as code, so the author of the link could run any code: "
          + "pass the capture as a separate argument after the code, such as `[\"sh\", \"-c\", \"echo \\\"$1\\\"\", \"sh\", \"{x}\"]`, "
          + "or as an argument of a script file"
      } else if let selection = programs.selection(at: index) {
        dangers[index] = sentence(on: selection)
      } else if !argv[index].holes.isEmpty, let use = interpreted.shell(running: index, absent: absent),
        argv[index].mayContain(use.marks, patterns)
      {
        dangers[index] =
          "the code of `\(use.program)` runs one of its arguments as a program or as code, so the author of the link could "
          + "run any program: write the name of the program in the code, or move the code to a script file and pass the "
          + "capture as its argument"
      }
    }
    return dangers
  }

  private static func sentence(on selection: ProgramArguments.Selection) -> String {
    switch selection.kind {
    case .program:
      "`\(selection.program)` runs the program, script or application that this argument names, so the author of the link "
        + "could run any of them: write its name before the capture"
    case .option:
      "`\(selection.program)` runs or loads the value of this option, so the author of the link could run any code: "
        + "write the value without a capture"
    case .variable:
      "programs run or load the value of this variable, so the author of the link could run any code: "
        + "write the value without a capture"
    }
  }

  /// Returns whether the element of an argv may be omitted, because a text for it is absent or not allowed.
  private func mayBeLeftOut(_ patterns: [RoutePattern]) -> Bool {
    holes.contains { hole in
      if isURL { return true }
      guard hole.defaultValue == nil, hole.filling != .url else { return false }
      guard case .capture(let name) = hole.filling else { return true }
      return patterns.contains { $0.mayLack(name) }
    }
  }

  /// Returns whether a link can insert one of these characters; `true` if there are none.
  private func mayContain(_ marks: String, _ patterns: [RoutePattern]) -> Bool {
    guard !marks.isEmpty else { return true }
    let marked = (try? RegularLanguage(".*[\(marks)].*")) ?? .all
    return holes.contains { hole in
      guard case .capture(let name) = hole.filling else { return true }
      return patterns.flatMap(\.captures).contains {
        $0.name == name && $0.type.language.commonText(with: marked) != nil
      }
    }
  }

  private func sentence(on hole: Hole, _ patterns: [RoutePattern]) -> String? {
    guard !hole.isPart else { return nil }
    guard case .capture(let name) = hole.filling else {
      return mayBeAbsent(hole, patterns) ? needsDefault("@source") : nil
    }
    let captures = patterns.flatMap(\.captures)
    guard let capture = captures.first(where: { $0.name == name }) else {
      let nearest = name.nearest(in: captures.map(\.name))
      return "the route has no capture `\(name)`" + (nearest.map { "; the nearest is `\($0)`" } ?? "")
    }
    if capture.extent == .list {
      return "`\(name)` is a list, but a single text is needed here: remove `*` from its pattern"
    }
    return mayBeAbsent(hole, patterns) ? needsDefault(name) : nil
  }

  private func needsDefault(_ name: String) -> String {
    "`\(name)` is optional, but needed here: write `{\(name)=…}`"
  }

  /// Returns whether the placeholder may have no text although its position requires one.
  private func mayBeAbsent(_ hole: Hole, _ patterns: [RoutePattern]) -> Bool {
    guard isURL, hole.defaultValue == nil, hole.filling != .url else { return false }
    let parts = URLTemplate(elements)
    let mustStand =
      parts.head.contains(.hole(hole))
      || parts.path.split(separator: .byte(UInt8(ascii: "/"))).contains {
        $0.contains(.hole(hole)) && $0.count > 1
      }
    guard mustStand, case .capture(let name) = hole.filling else { return mustStand }
    return patterns.contains { $0.mayLack(name) }
  }

  /// Returns the error of an element that a program could parse as an option, or `nil` if it cannot.
  private func optionFault(in patterns: [RoutePattern]) -> RouteTableError? {
    for (index, element) in elements.enumerated() {
      switch element {
      case .byte(let byte):
        // A literal `-` at the start is the intent of the route's author.
        guard index > 0, byte == UInt8(ascii: "-"), case .hole(let hole)? = elements.first else { return nil }
        return optionFault(of: hole, "-")
      case .hole(let hole):
        if let witness = optionText(of: hole, patterns) {
          // A witness that is a number belongs to a numeric type, so the suggested type is `uint`.
          return optionFault(of: hole, witness, Int(witness) == nil ? "slug" : "uint")
        }
        guard mayBeEmpty(hole, patterns) else { return nil }
      }
    }
    return nil
  }

  private func optionFault(of hole: Hole, _ witness: String, _ suggestion: String = "slug") -> RouteTableError
  {
    let sentence =
      "the captured text may begin with `-`, such as `\(witness)`, and be interpreted as an option: "
      + "put `\"--\"` before it, or use a type that cannot begin with `-`, such as `\(suggestion)`"
    return RouteTableError(.invalidCapture(sentence), at: hole.offset, pattern: text)
  }

  /// Returns a text that begins with `-` and could fill the placeholder, or `nil` if there is none.
  private func optionText(of hole: Hole, _ patterns: [RoutePattern]) -> String? {
    switch hole.filling {
    case .url, .part: nil
    // The elements of a bus name may begin with `-`.
    case .source: "-"
    case .capture(let name):
      patterns.flatMap(\.captures).lazy.filter { $0.name == name }
        .compactMap { $0.type.language.commonText(with: Self.options) }.first
    }
  }

  private static let options = RegularLanguage(builtIn: "-.*")

  private func mayBeEmpty(_ hole: Hole, _ patterns: [RoutePattern]) -> Bool {
    if hole.defaultValue?.isEmpty == true { return true }
    guard case .capture(let name) = hole.filling else { return false }
    return patterns.contains { pattern in
      guard let number = pattern.captures.firstIndex(where: { $0.name == name }) else { return false }
      let capture = pattern.captures[number]
      // In the host and the path, a single capture matches at least one byte.
      let isInPath = capture.extent == .single && !pattern.isInQueryOrFragment(number)
      return !isInPath && capture.type.language.contains("") || capture.defaultValue?.isEmpty == true
    }
  }
}

extension RoutePattern {
  /// Returns whether a match of the pattern may have no text for the capture of this name.
  fileprivate func mayLack(_ name: String) -> Bool {
    captures.first { $0.name == name }.map { $0.isOptional && $0.defaultValue == nil } ?? true
  }

  fileprivate func isInQueryOrFragment(_ capture: Int) -> Bool {
    let values = query.compactMap(\.value) + [fragment].compactMap { $0 }
    return values.contains { $0.captures.contains(capture) }
  }
}
