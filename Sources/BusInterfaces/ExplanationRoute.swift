// SPDX-License-Identifier: Apache-2.0
public import DBus

/// A route in the explanation of a decision.
public struct ExplanationRoute: Hashable, Sendable {
  /// `route` s: the ID.
  public var id: String
  /// `owner` s: the owner, as the route file states.
  public var owner: String
  /// `pattern` s: the pattern that is compared with the URL.
  public var pattern: String
  /// `file` s: the route file.
  public var file: String
  /// `line` x and `column` x: the position of the pattern, from 1.
  public var line, column: Int64
  /// `rule` s: the name of the rule by which the deciding route precedes this one; absent for others.
  public var rule: String?
  /// `message` s: that rule, or what does not match, as a sentence; absent for the deciding route.
  public var message: String?

  /// Creates a route with the position of its pattern.
  public init(
    id: String, owner: String, pattern: String, file: String, line: Int64, column: Int64,
    rule: String? = nil, message: String? = nil
  ) {
    (self.id, self.owner, self.pattern) = (id, owner, pattern)
    (self.file, self.line, self.column) = (file, line, column)
    (self.rule, self.message) = (rule, message)
  }

  /// Reads the `a{sv}` of the bus; `nil` if it is not a route with a position.
  public init?(_ entries: [String: Variant]) {
    guard let id = entries["route"]?.string, let file = entries["file"]?.string,
      let line = entries["line"]?.integer
    else { return nil }
    self.init(
      id: id, owner: entries["owner"]?.string ?? "", pattern: entries["pattern"]?.string ?? "", file: file,
      line: line, column: entries["column"]?.integer ?? 1, rule: entries["rule"]?.string,
      message: entries["message"]?.string)
  }

  /// The `a{sv}` on the bus.
  public var entries: [String: Variant] {
    var entries: [String: Variant] = [
      "route": .string(id), "owner": .string(owner), "pattern": .string(pattern), "file": .string(file),
      "line": .int64(line), "column": .int64(column),
    ]
    entries["rule"] = rule.map(Variant.string)
    entries["message"] = message.map(Variant.string)
    return entries
  }
}
