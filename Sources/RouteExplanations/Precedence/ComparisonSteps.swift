// SPDX-License-Identifier: Apache-2.0
import RouteTables
import RegularLanguages

/// The requirements of a variant, one step per component, in the order in which the index matches them.
///
/// The first step in which two variants differ decides their precedence if neither includes the other.
struct ComparisonSteps {
  struct Step {
    enum Kind: Hashable {
      case text
      case mark(UInt32)
      case branch(RouteTrie.Branch.Kind)
      case hostEnd
      case end
    }

    let kind: Kind
    /// The texts that a text or a branch matches; `nil` for other steps.
    let taken: ComponentMatcher?
    let place: URLComponent
    /// The step as written in the pattern.
    let written: String

    func isSame(as other: Step) -> Bool { kind == other.kind && taken == other.taken }

    /// The order of the kinds within one node.
    fileprivate var order: (Int, UInt32) {
      switch kind {
      case .text: (0, 0)
      case .mark(let number): (1, number)
      case .branch(.all): (4, 0)
      case .branch: (2, 0)
      case .hostEnd: (3, 0)
      case .end: (5, 0)
      }
    }
  }

  private(set) var steps: [Step] = []
  /// The number of steps up to the first catch-all of the path, included; `nil` if there is none.
  private var catchAllEnd: Int?
  private let specificity: CatchAllSpecificity
  private let form: PatternVariant
  private let pattern: RoutePattern

  init(_ shape: RouteVariant, pattern: RoutePattern, _ languages: inout LanguageInterner) {
    form = shape.shape
    specificity = shape.specificity
    self.pattern = pattern
    addOpening(&languages)
    addPath(&languages)
    steps.append(Step(kind: .end, taken: nil, place: .path, written: ""))
  }

  private mutating func mark(_ number: UInt32, at place: URLComponent, written: String) {
    steps.append(Step(kind: .mark(number), taken: nil, place: place, written: written))
  }

  private mutating func add(
    _ part: PatternPart, in component: PatternComponent, at place: URLComponent,
    _ languages: inout LanguageInterner
  ) {
    let taken = languages.place(part, of: pattern, in: component)
    let isText = if case .literal = taken { true } else { false }
    steps.append(
      Step(
        kind: isText ? .text : .branch(.one), taken: taken, place: place,
        written: pattern.text(of: part, component)))
  }

  private mutating func add(
    _ kind: RouteTrie.Branch.Kind, language number: LanguageInterner.Number, at place: URLComponent,
    written: String
  ) {
    steps.append(Step(kind: .branch(kind), taken: .language(number), place: place, written: written))
  }

  private mutating func addOpening(_ languages: inout LanguageInterner) {
    guard let scheme = form.scheme else {
      mark(EdgeMark.anyScheme, at: .scheme, written: "")
      return mark(EdgeMark.opening(form.opening), at: .opening, written: form.opening.written)
    }
    steps.append(
      Step(kind: .text, taken: .literal(Array(scheme.utf8)), place: .scheme, written: scheme))
    mark(EdgeMark.opening(form.opening), at: .opening, written: form.opening.written)
    guard form.opening == .host else { return }
    for (index, label) in form.labels.enumerated().reversed() {
      add(label, in: .host, at: form.hostRest == nil ? .label(index + 1) : .host, &languages)
    }
    if let rest = form.hostRest {
      let own = rest.capture.map { languages.hostLabel(of: pattern.captures[$0]) }
      let any = rest.mayBeEmpty ? LanguageInterner.anything : LanguageInterner.anyText
      let written =
        (rest.capture ?? form.hostCapture).map { RoutePattern.text(of: pattern.captures[$0]) } ?? "*"
      add(rest.mayBeEmpty ? .all : .rest, language: own ?? any, at: .host, written: written)
    }
    steps.append(
      Step(kind: .hostEnd, taken: nil, place: .host, written: form.labels.isEmpty ? "no host" : ""))
    let port = if case .number(let number) = form.port { number.map { ":\($0)" } ?? "no port" } else { ":*" }
    mark(EdgeMark.port(form.port, hasUser: form.user != nil), at: .port, written: port)
    if let user = form.user { add(user, in: .user, at: .user, &languages) }
  }

  private mutating func addPath(_ languages: inout LanguageInterner) {
    let path = form.path(of: pattern)
    for (index, part) in path.prefix.enumerated() {
      add(part, in: .path, at: .segment(index + 1), &languages)
    }
    guard let rest = path.rest else { return }
    let capture = pattern.captures[rest]
    add(
      .rest, language: languages.type(of: capture, mayBeEmpty: true), at: .segment(path.prefix.count + 1),
      written: RoutePattern.text(of: capture))
    catchAllEnd = steps.count
    for (index, part) in path.suffix.reversed().enumerated() {
      add(part, in: .path, at: .lastSegment(index + 1), &languages)
    }
    guard let second = path.secondRest else { return }
    let other = pattern.captures[second]
    add(
      .anchor(length: path.anchor.count), language: languages.type(of: other, mayBeEmpty: true),
      at: .lastSegment(path.suffix.count + 1), written: RoutePattern.text(of: other))
    for part in path.anchor { add(part, in: .path, at: .path, &languages) }
  }

  /// Returns the first difference of two variants, and whether the first variant precedes the second there.
  ///
  /// `nil` if the steps of both variants are equal.
  static func difference(
    between lhs: ComparisonSteps, and rhs: ComparisonSteps, _ languages: inout LanguageInterner
  ) -> (difference: FirstDifference, isInOrder: Bool)? {
    let pairs = Array(zip(lhs.steps, rhs.steps))
    guard let index = pairs.firstIndex(where: { !$0.isSame(as: $1) }) else { return nil }
    let (lhsStep, rhsStep) = pairs[index]
    if let end = lhs.catchAllEnd, index >= end, lhs.specificity != rhs.specificity {
      let (kind, own, others) = moreSegments(lhs.specificity, rhs.specificity)
      let catchAll = lhs.steps[end - 1].written
      return (.afterCatchAll(catchAll, more: kind, own, others), lhs.specificity > rhs.specificity)
    }
    var isCrossing = false
    var isInOrder = lhsStep.order < rhsStep.order
    if let first = lhsStep.taken, let second = rhsStep.taken {
      isCrossing = languages.relation(first, second) == .crossing
      if lhsStep.order == rhsStep.order {
        isInOrder = languages.precedes(first, second)
        if first == second, case .branch(let kind) = lhsStep.kind, case .branch(let otherKind) = rhsStep.kind
        {
          isInOrder = kind.order < otherKind.order
        }
      }
    }
    // Components that overlap have no order of their own, so the order of the table applies.
    if isCrossing { isInOrder = true }
    // If one pattern ends here, the difference is in the next component of the other.
    let place = lhsStep.kind == .end ? rhsStep.place : lhsStep.place
    return (
      .place(place, first: lhsStep.written, second: rhsStep.written, isCrossing: isCrossing), isInOrder
    )
  }
}

extension ComparisonSteps {
  /// Returns the first kind of segments of which two paths require different numbers, with the numbers.
  private static func moreSegments(_ one: CatchAllSpecificity, _ other: CatchAllSpecificity)
    -> (FirstDifference.SegmentKind, Int, Int)
  {
    if one.literals != other.literals { return (.literal, one.literals, other.literals) }
    if one.restricted != other.restricted { return (.restricted, one.restricted, other.restricted) }
    return (.any, one.segments, other.segments)
  }
}

extension PatternVariant.Opening {
  /// The opening as written in a pattern.
  fileprivate var written: String {
    switch self {
    case .host: "//"
    case .rootedPath: "/"
    case .rootlessPath: "no slash"
    case .joinedPath: "slashes or no slash"
    }
  }
}
