// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

extension PatternElementReader {
  /// Reads a type: a name with an optional length, a choice of values, or a regular expression.
  mutating func readType(from start: Int) throws(RouteTableError) -> RouteType {
    let begin = position
    if accept("/") { return try readExpression(from: start) }
    let first = readValue()
    if current == UInt8(ascii: "|") { return try readValues(first, from: begin) }
    position = begin
    let name = readWord()
    guard current != nil else { throw RouteTableError(.unclosedCapture, at: start) }
    if name == "cidr", !types.contains(where: { $0.name == name }) { return try readBlock(from: begin) }
    guard let type = types.first(where: { $0.name == name }) ?? RouteType.builtIn(named: name) else {
      let known = (types + RouteType.builtIn).map(\.name) + RouteType.hostNames
      throw RouteTableError(.unknownType(name, known: known), at: begin)
    }
    guard accept("(") else { return type }
    guard type.hosts == nil else {
      throw RouteTableError(
        .invalidCapture("`\(type)` matches hosts and has no length: write `\(type)` alone"), at: begin)
    }
    return try readLength(of: type, from: begin)
  }

  /// Reads the rest of `cidr(10.0.0.0/8)`.
  private mutating func readBlock(from begin: Int) throws(RouteTableError) -> RouteType {
    let isOpen = accept("(")
    let start = position
    while let byte = current, !"(){}".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard isOpen, accept(")") else {
      throw RouteTableError(
        .invalidCapture("an address block needs parentheses: `cidr(10.0.0.0/8)`"), at: begin)
    }
    do {
      return try RouteType.cidr(text)
    } catch {
      throw RouteTableError(error.reason, at: start)
    }
  }

  /// Reads a regular expression up to the closing slash; `\/` is an escaped slash.
  private mutating func readExpression(from start: Int) throws(RouteTableError) -> RouteType {
    let begin = position
    while let byte = current, byte != UInt8(ascii: "/") {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard current != nil else { throw RouteTableError(.unclosedCapture, at: start) }
    let text = String(decoding: bytes[begin..<position], as: UTF8.self)
    position += 1
    let expression: RegularExpression
    do { expression = try RegularExpressionParser.parse(text) } catch {
      throw RouteTableError(error, at: begin)
    }
    return RouteType("/\(text)/", language: try language(expression, at: begin), conversion: .text)
  }

  /// Reads the rest of `a|b|c`.
  private mutating func readValues(_ first: Range<Int>, from begin: Int) throws(RouteTableError) -> RouteType
  {
    var ranges = [first]
    while accept("|") { ranges.append(readValue()) }
    var values: [[UInt8]] = []
    for range in ranges {
      guard !range.isEmpty else { throw RouteTableError(.emptyValue, at: range.lowerBound) }
      let elements = range.map { PatternElement(content: .byte(bytes[$0]), offset: $0) }
      let value = try PatternText.literal(elements[...], form: .path)
      guard !values.contains(value) else {
        throw RouteTableError(
          .duplicateValue(String(decoding: value, as: UTF8.self)), at: range.lowerBound)
      }
      values.append(value)
    }
    let name = values.map { RouteType.choiceText(of: $0) }.joined(separator: "|")
    let texts = values.map { String(decoding: $0, as: UTF8.self) }
    return RouteType(
      name, language: try language(.choice(texts.map { .literal($0) }), at: begin), conversion: .text)
  }

  /// Reads a value of a choice, up to a delimiter or the `...` of a catch-all.
  private mutating func readValue() -> Range<Int> {
    let begin = position
    while let byte = current, !"{}|?=*()/".utf8.contains(byte) {
      if byte == UInt8(ascii: "."), bytes[position...].starts(with: Array("...".utf8)) { break }
      position += 1
    }
    return begin..<position
  }

  /// Reads `n)`, `m,n)` or `m,)`: a length in scalars.
  private mutating func readLength(of type: RouteType, from begin: Int) throws(RouteTableError) -> RouteType {
    let least = try readCount()
    var most: Int? = least
    if accept(",") { most = current == UInt8(ascii: ")") ? nil : try readCount() }
    guard accept(")"), most.map({ $0 >= least }) ?? true else {
      throw RouteTableError(.invalidLength, at: position)
    }
    let name = "\(type.name)(\(least)\(most == least ? "" : ",\(most.map(String.init) ?? "")"))"
    let language: RegularLanguage
    do { language = try type.language.intersection(RegularLanguage(.length(least, most))) } catch {
      throw RouteTableError(error, at: begin)
    }
    return RouteType(name, language: try nonEmpty(language, begin), conversion: type.conversion)
  }

  private mutating func readCount() throws(RouteTableError) -> Int {
    var count: Int?
    while let digit = current, digit.isASCIIDigit, count ?? 0 <= RegularLanguage.maximumStates {
      count = (count ?? 0) * 10 + Int(digit - UInt8(ascii: "0"))
      position += 1
    }
    guard let count else { throw RouteTableError(.invalidLength, at: position) }
    guard count <= RegularLanguage.maximumStates else { throw RouteTableError(.expressionTooLarge) }
    return count
  }

  private func language(
    _ expression: RegularExpression, at begin: Int
  ) throws(RouteTableError) -> RegularLanguage {
    let language: RegularLanguage
    do { language = try RegularLanguage(expression) } catch { throw RouteTableError(error, at: begin) }
    return try nonEmpty(language, begin)
  }

  private func nonEmpty(_ language: RegularLanguage, _ begin: Int) throws(RouteTableError) -> RegularLanguage
  {
    guard !language.isEmpty else { throw RouteTableError(.emptyType, at: begin) }
    return language
  }
}
