extension RouteTable {
  /// The URL of a route with these values of its captures.
  ///
  /// It is made of the route's first pattern, with the first of each choice, and without what is as its default. It is proven:
  /// matching it gives this very route and these very values, or nothing is returned.
  ///
  /// ```swift
  /// let url = try table.generate("note", ["id": 7, "tab": "edit"])   // notes://note/7?tab=edit
  /// ```
  ///
  /// - Parameters:
  ///   - id: the route, as `id`, or as `owner/id` where several owners have one.
  ///   - values: by the names of the captures; of rests and lists, all their texts.
  ///   - context: what the request will say of itself; where nothing is said, it is enough that the route wins if a request says
  ///     the right things.
  /// - Throws: ``RouteGenerationError``: `unrepresentable`, `ambiguous` or `taken` where there is no such URL, `notGenerated`
  ///   where the route says that there is none.
  public func generate(
    _ id: String, _ values: [String: RouteValue] = [:], when context: [String: String]? = nil
  ) throws(RouteGenerationError) -> String {
    guard let number = index(ofRoute: id), let pattern = routes[number].patterns.first else {
      throw .unknownRoute(id)
    }
    guard routes[number].generates else { throw .notGenerated(id) }
    let arguments = try RouteArguments(values, of: pattern)
    do throws(RouteGenerationError) {
      return try proven(URLGeneration(pattern, arguments), number, context)
    } catch {
      // Without its defaults it may be read in another way, or go to another route; and where a slash at the end counts for
      // nothing, one more keeps the empty segment before it.
      let others = [arguments, arguments.inFull].flatMap { arguments in
        (pattern.options.ignoresTrailingSlash ? [false, true] : [false]).map {
          URLGeneration(pattern, arguments, endsWithSlash: $0)
        }
      }
      for other in others.dropFirst() {
        if let url = try? proven(other, number, context) { return url }
      }
      throw error
    }
  }

  /// The index of the one route that is named so, as `id` or `owner/id`.
  func index(ofRoute id: String) -> Int? {
    let named = routes.indices.filter { routes[$0].id == id || "\(routes[$0].owner)/\(routes[$0].id)" == id }
    return named.count == 1 ? named.first : nil
  }

  /// Whose a URL is that was made.
  private enum Found {
    case own(RouteMatch<Action>)
    case other(Int)
    case nothing
  }

  private func proven(
    _ generation: URLGeneration, _ number: Int, _ context: [String: String]?
  ) throws(RouteGenerationError) -> String {
    let arguments = generation.arguments
    let url = try generation.url()
    let found: Found
    // What no single value is to blame for: too long, too many segments, a host that reads as an address.
    do { found = try find(url, number, context) } catch { throw .unrepresentable(arguments.largest) }
    switch found {
    case .own(let match): try check(match, arguments)
    case .other(let other): throw .taken(by: routes[other].id, always: isShadowed(number, by: other))
    case .nothing: throw .unrepresentable(arguments.largest)
    }
    return url
  }

  /// Whose a URL is, in a context or, where none is given, in any in which the route wins.
  private func find(
    _ url: String, _ number: Int, _ context: [String: String]?
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
