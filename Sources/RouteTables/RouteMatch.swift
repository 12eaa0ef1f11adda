/// What a table found for a URL: the route, and the texts that its captures took.
///
/// Captures are byte ranges of the URL, decoded when they are asked for. Captured text is in normal form:
/// percent-decoded once, after splitting, so that `%2F` is a slash inside a value; host labels in lower case.
public struct RouteMatch<Action: Sendable>: Sendable {
  /// The URL as it came.
  public let url: String
  private let table: RouteTable<Action>
  private let routeIndex: Int
  private let patternIndex: Int
  /// For each capture of the pattern what it took; `nil` if it is absent.
  private let slots: [CaptureSlot?]
  private let queryText: URLText?

  init(_ table: RouteTable<Action>, shape: RouteShape, url: String, parts: URLParts) {
    self.table = table
    self.url = url
    routeIndex = shape.route
    patternIndex = shape.pattern
    queryText = parts.query
    slots = CaptureSlot.slots(
      of: table.storage.routes[shape.route].patterns[shape.pattern], in: parts, url.utf8.span)
  }

  /// The route that won.
  public var route: Route<Action> { table.storage.routes[routeIndex] }

  /// The pattern of the route that matched.
  public var pattern: RoutePattern { route.patterns[patternIndex] }

  /// What to do.
  public var action: Action { route.action }

  /// The items of the query that the pattern did not read, in order, decoded as they are asked for.
  public var query: RouteQuery { RouteQuery(url: url, text: queryText, pattern: pattern) }

  /// The text of the capture `name`: its default if it is absent and has one; `nil` if there is no such capture.
  public subscript(name: String) -> String? {
    let captures = pattern.captures
    guard let index = captures.firstIndex(where: { $0.name == name }) else { return nil }
    return slots[index]?.text(in: url) ?? captures[index].defaultValue
  }

  /// The value of the capture `name` as `int` reads it, or `nil` if it is absent or no such integer.
  public subscript(int name: String) -> Int64? { self[name].flatMap { integer($0).signed } }

  /// The value of the capture `name` as `uint` reads it, or `nil` if it is absent or no such integer.
  public subscript(uint name: String) -> UInt64? { self[name].flatMap { integer($0).unsigned } }

  /// The captures that have a value, each converted to its type, in the order of the pattern.
  public var values: [(name: String, value: RouteValue)] {
    pattern.captures.compactMap { capture in
      guard let text = self[capture.name] else { return nil }
      return capture.type.value(of: text).map { (capture.name, $0) }
    }
  }

  private func integer(_ text: String) -> CanonicalInteger {
    var integer = CanonicalInteger()
    for byte in text.utf8 { integer.append(byte) }
    return integer
  }
}
