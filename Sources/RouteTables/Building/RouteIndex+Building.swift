// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

extension RouteIndex {
  /// Encodes the trie of all variants, whose order of precedence is `order`.
  convenience init(_ tree: RouteTrie, order: [Int], routes: [RouteRecord]) {
    var layout = IndexEncoder(tree, order: order, routes: routes)
    layout.run()
    var languages: [Int: RegularLanguage] = [:]
    for shape in tree.shapes {
      for (_, number) in shape.conditions { languages[number] = tree.languages[number] }
    }
    var forms: [Int: PatternVariant] = [:]
    for (place, shape) in order.lazy.map({ tree.shapes[$0] }).enumerated()
    where !PatternExpansion.hasOnlyOne(routes[shape.route].patterns[shape.pattern]) {
      forms[place] = shape.shape
    }
    self.init(
      Parts(
        memory: layout.memory, captureNames: layout.captureNames, conditions: layout.conditions,
        conditionLanguages: languages, forms: forms,
        stretches: SchemeRange.all(of: order.lazy.map { tree.shapes[$0].shape.scheme }), width: layout.width),
      routes: routes)
  }
}
