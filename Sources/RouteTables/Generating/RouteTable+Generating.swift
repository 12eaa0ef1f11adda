// SPDX-License-Identifier: Apache-2.0
extension RouteTable {
  /// Returns the URL of a route with these values for its captures.
  ///
  /// The URL is generated from the route's first pattern. It uses the first alternative of each choice and omits values that equal
  /// their default. It is then verified: the table must match it to this route with these values, otherwise the function throws.
  ///
  /// ```swift
  /// let url = try table.generate("note", ["id": 7, "tab": "edit"])   // notes://note/7?tab=edit
  /// ```
  ///
  /// - Parameters:
  ///   - id: the route, as `id`, or as `owner/id` if several owners have a route with that ID.
  ///   - values: the values by the names of the captures; for a catch-all or a list, all its texts.
  ///   - context: the properties of the request, as for `match`. If it is `nil`, the route must win for at least one request.
  /// - Throws: ``RouteGenerationError``: `unrepresentable`, `ambiguous` or `matchedByAnotherRoute` if there is no such URL, `notGenerated` if
  ///   the route has `generate = false`.
  public func generate(
    _ id: String, _ values: [String: RouteValue] = [:], when context: [String: String]? = nil
  ) throws(RouteGenerationError) -> String {
    guard let number = index(ofRoute: id), let pattern = routes[number].patterns.first else {
      throw .unknownRoute(id)
    }
    guard routes[number].generates else { throw .notGenerated(id) }
    let arguments = try RouteArguments(values, of: pattern)
    do throws(RouteGenerationError) {
      return try proven(URLGeneration(pattern, arguments), route: number, when: context)
    } catch {
      // With its defaults written, the URL may be parsed as intended or be won by this route. If a trailing slash is ignored,
      // one more slash preserves an empty segment before it.
      let others = [arguments, arguments.inFull].flatMap { arguments in
        (pattern.options.ignoresTrailingSlash ? [false, true] : [false]).map {
          URLGeneration(pattern, arguments, endsWithSlash: $0)
        }
      }
      for other in others.dropFirst() {
        if let url = try? proven(other, route: number, when: context) { return url }
      }
      throw error
    }
  }

  /// Returns the index of the only route with this name, as `id` or `owner/id`; `nil` if there is none or several.
  func index(ofRoute id: String) -> Int? {
    let named = routes.indices.filter { routes[$0].id == id || "\(routes[$0].owner)/\(routes[$0].id)" == id }
    return named.count == 1 ? named.first : nil
  }

  /// The winner of a generated URL.
  private enum Found {
    case own(RouteMatch<Action>)
    case other(Int)
    case nothing
  }

  private func proven(
    _ generation: URLGeneration, route number: Int, when context: [String: String]?
  ) throws(RouteGenerationError) -> String {
    let arguments = generation.arguments
    let url = try generation.url()
    let found: Found
    // No single argument causes these errors: too long, too many segments, a host that is parsed as an address.
    do { found = try find(url, route: number, when: context) } catch {
      throw .unrepresentable(arguments.largest)
    }
    switch found {
    case .own(let match): try check(match, arguments)
    case .other(let other):
      throw .matchedByAnotherRoute(routes[other].id, always: isShadowed(number, by: other))
    case .nothing: throw .unrepresentable(arguments.largest)
    }
    return url
  }

  /// Returns the winner of a URL in a context; without a context, this route if it wins for any request.
  private func find(
    _ url: String, route number: Int, when context: [String: String]?
  ) throws(RouteTableError) -> Found {
    if let context {
      guard let match = try match(url, when: context) else { return .nothing }
      return match.routeIndex == number ? .own(match) : .other(match.routeIndex)
    }
    switch try contest(for: url, number) {
    case .wins(_, let request): return try match(request).map { .own($0) } ?? .nothing
    case .loses(let others), .undecided(let others): return others.first.map { .other($0) } ?? .nothing
    }
  }

  private func check(_ match: RouteMatch<Action>, _ arguments: RouteArguments) throws(RouteGenerationError) {
    for capture in match.pattern.captures {
      let found = match[list: capture.name].map { Array($0) } ?? match[capture.name].map { [$0] }
      guard arguments.isSame(found, as: capture.name) else { throw .ambiguous(capture.name) }
    }
  }
}
