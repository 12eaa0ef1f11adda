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
  ///   - context: what the request will say of itself; where nothing is said, what the route asks for.
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

  private func proven(
    _ generation: URLGeneration, _ number: Int, _ context: [String: String]?
  ) throws(RouteGenerationError) -> String {
    let arguments = generation.arguments
    let url = try generation.url()
    try prove(url, number, arguments, context ?? routes[number].ownContext)
    return url
  }

  private func prove(
    _ url: String, _ number: Int, _ arguments: RouteArguments, _ context: [String: String]
  ) throws(RouteGenerationError) {
    let match: RouteMatch<Action>?
    // What no single value is to blame for: too long, too many segments, a host that reads as an address.
    do { match = try self.match(url, when: context) } catch { throw .unrepresentable(arguments.largest) }
    guard let match else { throw .unrepresentable(arguments.largest) }
    guard match.routeIndex == number else {
      throw .taken(by: match.route.id, always: isShadowed(number, by: match.routeIndex))
    }
    for capture in match.pattern.captures {
      let found = match[list: capture.name].map { Array($0) } ?? match[capture.name].map { [$0] }
      guard arguments.isSame(found, as: capture.name) else { throw .ambiguous(capture.name) }
    }
  }
}

extension Route {
  /// A context in which the route's conditions hold.
  var ownContext: [String: String] {
    var context: [String: String] = [:]
    for condition in conditions {
      context[condition.name] = condition.language.shortestText
    }
    return context
  }
}
