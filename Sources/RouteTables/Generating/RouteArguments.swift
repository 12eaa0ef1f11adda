// SPDX-License-Identifier: Apache-2.0
/// The values for a pattern's captures as texts, each of which the type of its capture accepts.
struct RouteArguments {
  private let texts: [String: [String]]
  private let defaults: [String: [String]]
  private var leavesDefaultsOut = true

  init(_ values: [String: RouteValue], of pattern: RoutePattern) throws(RouteGenerationError) {
    var texts: [String: [String]] = [:]
    var defaults: [String: [String]] = [:]
    for capture in pattern.captures {
      if let value = capture.defaultValue { defaults[capture.name] = capture.parts(of: value) }
      guard let value = values[capture.name] else {
        guard capture.isOptional else { throw .missingArgument(capture.name) }
        continue
      }
      let own: [String] = if case .strings(let list) = value { list } else { [value.description] }
      let isOne = own.count == 1
      guard capture.extent == .single ? isOne : !own.isEmpty,
        own.allSatisfy({ capture.type.matches($0) && !$0.utf8.contains(0) })
      else { throw .unrepresentable(capture.name) }
      texts[capture.name] = own
    }
    let known = Set(pattern.captures.map(\.name))
    if let unknown = values.keys.filter({ !known.contains($0) }).min() { throw .unknownArgument(unknown) }
    self.texts = texts
    self.defaults = defaults
  }

  /// Returns the texts of a capture; `nil` if it may be omitted, because it is absent or equal to its default.
  func texts(of capture: RouteCapture) -> [String]? {
    guard leavesDefaultsOut else { return textsInFull(of: capture) }
    guard let own = texts[capture.name], !Self.isSame(own, defaults[capture.name]) else { return nil }
    return own
  }

  /// A copy of the arguments that does not omit defaults.
  var inFull: RouteArguments {
    var arguments = self
    arguments.leavesDefaultsOut = false
    return arguments
  }

  /// Returns the texts of a capture that cannot be omitted, including a default; `nil` if there is neither.
  func textsInFull(of capture: RouteCapture) -> [String]? { texts[capture.name] ?? defaults[capture.name] }

  /// Returns whether the texts that were read back from the URL equal the texts of the argument.
  func isSame(_ found: [String]?, as name: String) -> Bool {
    Self.isSame(found, texts[name] ?? defaults[name])
  }

  /// The name of the longest argument, which is reported if a URL exceeds a limit.
  var largest: String {
    let sizes = texts.map { (name: $0.key, size: $0.value.reduce($0.value.count) { $0 + $1.utf8.count }) }
    return sizes.max { ($0.size, $1.name) < ($1.size, $0.name) }?.name ?? "*"
  }

  // Compares bytes, because `String` treats texts that are canonically equivalent as equal.
  private static func isSame(_ one: [String]?, _ other: [String]?) -> Bool {
    switch (one, other) {
    case (nil, nil): true
    case (let one?, let other?):
      one.count == other.count && zip(one, other).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    default: false
    }
  }
}

extension RouteCapture {
  /// Returns the texts of a default value: for a catch-all, one text for each segment.
  fileprivate func parts(of value: String) -> [String] {
    guard extent == .rest else { return [value] }
    return value.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }
}
