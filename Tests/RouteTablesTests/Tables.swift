@testable import RouteTables

/// A table whose routes are named by their patterns.
func table(_ patterns: [String]) throws(RouteTableError) -> RouteTable<String> {
  var builder = RouteTableBuilder<String>()
  for pattern in patterns { try builder.add(pattern, id: pattern, action: pattern) }
  return try builder.build()
}

/// A pattern as pages and tables write it, with `[case]`, `[slash]`, `[plus]` or `[segment]` in front for each option.
func optioned(_ text: String) -> (pattern: String, options: RouteOptions) {
  var pattern = text[...]
  var options = RouteOptions()
  while pattern.hasPrefix("["), let end = pattern.firstIndex(of: "]") {
    switch pattern[..<end].dropFirst() {
    case "case": options.ignoresCase = true
    case "slash": options.ignoresTrailingSlash = true
    case "plus": options.plus = .literal
    case "segment": options.authority = .segment
    default: return (text, RouteOptions())
    }
    pattern = pattern[end...].dropFirst(2)
  }
  return (String(pattern), options)
}

/// A table of one pattern alone.
func table(of pattern: RoutePattern) throws(RouteTableError) -> RouteTable<Int> {
  var builder = RouteTableBuilder<Int>()
  try builder.add([pattern], id: "one", action: 1, at: SourceLocation(file: "test", line: 1))
  return try builder.build()
}

/// The shapes of a pattern, as those of a route that asks nothing else.
func shapes(of pattern: RoutePattern, _ languages: inout LanguageInterner) throws(RouteTableError)
  -> [RouteVariant]
{
  var shapes: [RouteVariant] = []
  for form in try PatternExpansion.shapes(of: pattern) {
    shapes.append(RouteVariant(form, of: pattern, route: 0, index: 0, conditions: [], languages: &languages))
  }
  return shapes
}

/// The pattern that wins.
func winner(_ url: String, among patterns: String...) throws(RouteTableError) -> String? {
  try table(patterns).match(url)?.route.id
}

/// Whether the only pattern matches.
func matches(_ pattern: String, _ url: String) throws(RouteTableError) -> Bool {
  try winner(url, among: pattern) != nil
}

/// Why something was refused, or `nil` if it was not.
func refusal(_ body: () throws(RouteTableError) -> Void) -> RouteTableError? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}
