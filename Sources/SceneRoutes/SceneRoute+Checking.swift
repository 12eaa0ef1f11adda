// SPDX-License-Identifier: Apache-2.0
import RegularLanguages
import RouteTables

extension RouteTableBuilder {
  /// Adds a route after checking that its patterns fit its method.
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
  /// Returns the parsed patterns, checked against the arguments of the method.
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

  /// Returns the conditions; several with one name are combined, because all of them must hold.
  fileprivate func routeConditions() throws(RouteTableError) -> [RouteCondition] {
    var languages: [String: RegularLanguage] = [:]
    for condition in conditions {
      let condition = try condition.routeCondition
      let others = languages[condition.name]
      do {
        languages[condition.name] = try others?.intersection(condition.language) ?? condition.language
      } catch {
        throw RouteTableError(error)
      }
    }
    return languages.map { RouteCondition($0.key, $0.value) }
  }

  /// A Boolean value that is `true` if the route has patterns, conditions or precedence, which a route file defines itself.
  var definesConditions: Bool { !patterns.isEmpty || !conditions.isEmpty || !winsOver.isEmpty }
}
