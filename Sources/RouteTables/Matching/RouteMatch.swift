// SPDX-License-Identifier: Apache-2.0
/// The route that a table found for a URL, and the texts of its captures.
///
/// Captures are read from the URL on access. Captured text is in normal form: percent-decoded once, after splitting, so
/// that `%2F` is a slash inside a value; host labels are in lower case.
///
/// ```swift
/// // files:/{owner}/{size:uint}/{path...}
/// let match = try files.match("files:/ada/4096/notes/a%2Fb?draft=1")
/// match?["owner"]          // "ada"
/// match?[uint: "size"]     // 4096
/// match?["path"]           // "notes/a/b"
/// match?[list: "path"]?.count  // 2
/// match?.query["draft"]    // "1"
/// ```
@frozen
public struct RouteMatch<Action: Sendable>: Sendable {
  /// The URL as the caller passed it; a `file:` URL in normal form, such as `file:///etc/hosts` for `file:/etc/./hosts`.
  public let url: String
  @usableFromInline let table: RouteTable<Action>
  @usableFromInline let found: FoundRoute

  @inlinable
  init(_ table: RouteTable<Action>, _ found: FoundRoute, url: String) {
    self.table = table
    self.found = found
    self.url = url
  }

  private var index: RouteIndex { table.storage.index }
  private var shape: Int { Int(found.shape) }

  /// The index of the winning route among the routes of the table.
  @inlinable public var routeIndex: Int { found.routeIndex }

  /// The winning route.
  public var route: Route<Action> { table.storage.routes[routeIndex] }

  /// The pattern of the route that matches the URL.
  public var pattern: RoutePattern { route.patterns[index.pattern(of: shape)] }

  /// The action of the winning route.
  public var action: Action { route.action }

  /// The items of the query that the pattern did not read, in order, each decoded on access.
  public var query: RouteQuery { RouteQuery(url: url, pattern: pattern) }

  /// The text of the capture `name`, or its default if it is absent.
  ///
  /// `nil` if there is no such capture, or if it is absent without a default. For a catch-all, the segments are joined with
  /// `/` and the labels with `.`; for a list, it is the first text.
  public subscript(name: String) -> String? {
    index.text(of: name, found)?.string(in: url.utf8.span) ?? slot(name)
  }

  /// The value of the capture `name` as an `int`; `nil` if it is absent or not such an integer.
  public subscript(int name: String) -> Int64? { integer(name).signed }

  /// The value of the capture `name` as a `uint`; `nil` if it is absent or not such an integer.
  public subscript(uint name: String) -> UInt64? { integer(name).unsigned }

  /// The value of the capture `name` as a `bool`; `nil` if it is absent or not `true` or `false`.
  public subscript(bool name: String) -> Bool? {
    switch self[name] {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// The texts of the catch-all or list `name`, each decoded on access; `nil` if it is absent.
  public subscript(list name: String) -> RouteList? {
    let pattern = pattern
    guard let number = pattern.captures.firstIndex(where: { $0.name == name }) else { return nil }
    return list(number, pattern: pattern, slots: slots(pattern))
  }

  /// The captures that have a value, each converted to its type, in the order of the pattern.
  public var values: [(name: String, value: RouteValue)] {
    let pattern = pattern
    let slots = slots(pattern)
    return pattern.captures.indices.compactMap { number in
      let capture = pattern.captures[number]
      if capture.extent != .single {
        return list(number, pattern: pattern, slots: slots).map { (capture.name, .strings(Array($0))) }
      }
      guard let text = slots[number]?.string(in: url) ?? capture.defaultValue else { return nil }
      // Skip the type check of `value(of:)`, because a host can be an address in a spelling that only some schemes allow.
      if capture.type.hosts != nil { return (capture.name, .string(text)) }
      return capture.type.value(of: text).map { (capture.name, $0) }
    }
  }

  private func slots(_ pattern: RoutePattern) -> [CaptureSlot?] {
    let slots = CaptureReader.slots(of: pattern, index.form(at: shape, of: pattern), in: url)
    return slots.isEmpty ? pattern.captures.map { _ in nil } : slots
  }

  private func list(_ number: Int, pattern: RoutePattern, slots: [CaptureSlot?]) -> RouteList? {
    let capture = pattern.captures[number]
    switch slots[number] {
    case .texts(let texts, let form, _)?: return RouteList(url: url, texts: texts, form: form)
    case .text(let text, let form)?: return RouteList(url: url, texts: [text], form: form)
    case .part(let text)?: return RouteList(plain: [text])
    case nil:
      guard let value = capture.defaultValue else { return nil }
      let isRest = capture.extent == .rest
      return RouteList(
        plain: isRest
          ? value.split(separator: "/", omittingEmptySubsequences: false).map { String($0) } : [value])
    }
  }

  private func integer(_ name: String) -> CanonicalInteger {
    if let text = index.text(of: name, found) { return text.integer(in: url.utf8.span) }
    var integer = CanonicalInteger()
    for byte in (slot(name) ?? "").utf8 { integer.append(byte) }
    return integer
  }

  private func slot(_ name: String) -> String? {
    let pattern = pattern
    guard let number = pattern.captures.firstIndex(where: { $0.name == name }) else { return nil }
    return slots(pattern)[number]?.string(in: url) ?? pattern.captures[number].defaultValue
  }
}
