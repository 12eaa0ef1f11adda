import RouteTables

extension RouteTableBuilder {
  /// Adds a route whose patterns fit its method.
  mutating func add<Receiver>(
    _ route: SceneRoute<Receiver>, types: [RouteType], options: RouteOptions
  ) throws(SceneRoutesError) where Action == SceneRoute<Receiver> {
    do throws(RouteTableError) {
      try add(
        route.read(types, options), id: route.id, action: route, at: route.location,
        when: route.routeConditions(), winsOver: route.winsOver)
    } catch {
      throw SceneRoutesError(.table(error), route: route.id, at: route.location)
    }
  }
}

extension SceneRoute {
  /// The patterns, which fit the method.
  fileprivate func read(_ types: [RouteType], _ options: RouteOptions) throws(RouteTableError)
    -> [RoutePattern]
  {
    if let typed { return try typed.get() }
    var read: [RoutePattern] = []
    for text in patterns {
      read.append(try RoutePattern(text, for: arguments, types: types, options: options))
    }
    return read
  }

  /// The conditions, one of each name: all of those that have it hold.
  fileprivate func routeConditions() throws(RouteTableError) -> [RouteCondition] {
    var languages: [String: RegularLanguage] = [:]
    for condition in conditions {
      let condition = try condition.routeCondition
      let others = languages[condition.name]
      languages[condition.name] =
        if let others { try others.intersection(condition.language) } else { condition.language }
    }
    return languages.map { RouteCondition($0.key, $0.value) }
  }

  /// Whether it has more than a method: what a route file says itself.
  var saysWhen: Bool { !patterns.isEmpty || !conditions.isEmpty || !winsOver.isEmpty }
}
