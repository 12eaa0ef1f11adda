// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// The reason why a pattern does not fit the Swift types of its arguments.
public enum TypeMismatch: Hashable, Sendable {
  /// The number of captures differs from the number of arguments.
  case count(captures: [String], arguments: [String])
  /// The capture accepts a text that has no value of the type; an example text, and the capture to write instead.
  case type(capture: String, type: String, text: String?, write: String)
  /// The capture may be absent, but the argument is not optional.
  case mayBeAbsent(capture: String, type: String)
  /// The capture is a catch-all or a list, but the argument is a single value.
  case takesSeveral(capture: String, type: String)
  /// The capture accepts one text, but the argument is an array.
  case takesOne(capture: String, type: String)

  var sentence: String {
    switch self {
    case .count(let captures, let arguments): Self.counts(captures, arguments)
    case .type(let capture, let type, let text, let write):
      "`\(capture)` also matches \(text.map { $0.isEmpty ? "the empty text" : "`\($0)`" } ?? "texts"), which is not a value of "
        + "\(type): write `\(write)`"
    case .mayBeAbsent(let capture, let type):
      "`\(capture)` is optional, but its argument is \(type): write \(type)? as the argument, or a default after `=` in the pattern"
    case .takesSeveral(let capture, let type):
      "`\(capture)` captures several texts, but its argument is \(type): write [\(type)] as the argument"
    case .takesOne(let capture, let type):
      "`\(capture)` captures one text, but its argument is \(type): write `...` for segments, `*` for the values of a key, "
        + "or a single value as the argument"
    }
  }

  private static func counts(_ captures: [String], _ arguments: [String]) -> String {
    let captured = captures.isEmpty ? "nothing" : captures.map { "`\($0)`" }.joined(separator: ", ")
    let taken =
      arguments.isEmpty ? "there are no arguments" : "the arguments are \(arguments.joined(separator: ", "))"
    return
      "the pattern captures \(captured), and \(taken): write one capture for each argument, in their order"
  }
}

extension RoutePattern {
  /// Parses a pattern whose captures are bound to arguments of these types, in their order.
  ///
  /// The pattern may name the Swift types: `{tab:Tab?}`.
  ///
  /// - Throws: ``RouteTableError`` if the pattern is invalid, or if its captures do not fit the types.
  public init(
    _ text: String, for arguments: [any RouteArgument.Type], types: [RouteType] = [],
    options: RouteOptions = RouteOptions()
  ) throws(RouteTableError) {
    let forms = try Self.forms(of: arguments)
    try self.init(text, types: types + forms.map(\.namedType), options: options)
    if let mismatch = mismatch(of: forms) { throw RouteTableError(.mismatch(mismatch), pattern: text) }
  }

  /// Checks that the captures of the pattern fit arguments of these types, in their order.
  ///
  /// - Throws: ``RouteTableError`` with the first mismatch.
  public func check(for arguments: [any RouteArgument.Type]) throws(RouteTableError) {
    if let mismatch = mismatch(of: try Self.forms(of: arguments)) {
      throw RouteTableError(.mismatch(mismatch), pattern: description)
    }
  }

  private static func forms(
    of arguments: [any RouteArgument.Type]
  ) throws(RouteTableError) -> [RouteArgumentForm] {
    var forms: [RouteArgumentForm] = []
    for argument in arguments {
      let form = try argument.routeArgument
      if form.extent != .none { forms.append(form) }
    }
    return forms
  }

  private func mismatch(of forms: [RouteArgumentForm]) -> TypeMismatch? {
    guard forms.count == captures.count else {
      return .count(captures: captures.map { Self.text(of: $0) }, arguments: forms.map(\.name))
    }
    return zip(captures, forms).lazy.compactMap { capture, form in form.mismatch(of: capture) }.first
  }
}

extension RouteArgumentForm {
  fileprivate func mismatch(of capture: RouteCapture) -> TypeMismatch? {
    let written = RoutePattern.text(of: capture)
    switch (extent, capture.extent) {
    case (.single, .rest), (.single, .list): return .takesSeveral(capture: written, type: name)
    case (.several, .single): return .takesOne(capture: written, type: name)
    default: break
    }
    if !type.takesAll(of: capture.type) {
      let right = RouteCapture(
        name: capture.name, type: type, extent: capture.extent, isOptional: capture.isOptional,
        defaultValue: capture.defaultValue)
      return .type(
        capture: written, type: name, text: type.firstRefused(of: capture.type),
        write: RoutePattern.text(of: right))
    }
    let mayBeAbsent = capture.isOptional && capture.defaultValue == nil
    return mayBeAbsent && !isOptional && extent == .single
      ? .mayBeAbsent(capture: written, type: name) : nil
  }
}

extension RouteType {
  fileprivate func takesAll(of other: RouteType) -> Bool {
    language == RouteType.string.language || other.language.isSubset(of: language)
  }

  /// Returns the shortest text that `other` accepts and this type does not; an empty text only if there is no other.
  fileprivate func firstRefused(of other: RouteType) -> String? {
    guard let refused = try? other.language.subtracting(language) else { return nil }
    let texts = try? refused.intersection(.anyText)
    return texts?.shortestText ?? refused.shortestText
  }
}
