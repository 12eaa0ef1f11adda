// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// Returns a table whose routes are named by their patterns.
func table(_ patterns: [String]) throws(RouteTableError) -> RouteTable<String> {
  var builder = RouteTableBuilder<String>()
  for pattern in patterns { try builder.add(pattern, id: pattern, action: pattern) }
  return try builder.build()
}

/// Parses a pattern in the notation of pages and tables, preceded by `[case]`, `[slash]`, `[plus]` or `[segment]` for options.
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

/// Returns a table of one pattern.
func table(of pattern: RoutePattern) throws(RouteTableError) -> RouteTable<Int> {
  var builder = RouteTableBuilder<Int>()
  try builder.add([pattern], id: "one", action: 1, at: SourceLocation(file: "test", line: 1))
  return try builder.build()
}

/// Returns the variants of a pattern, as those of a route without conditions.
func shapes(of pattern: RoutePattern, _ languages: inout LanguageInterner) throws(RouteTableError)
  -> [RouteVariant]
{
  var shapes: [RouteVariant] = []
  for form in try PatternExpansion.shapes(of: pattern) {
    shapes.append(RouteVariant(form, of: pattern, route: 0, index: 0, conditions: [], languages: &languages))
  }
  return shapes
}

/// Returns the pattern that wins.
func winner(_ url: String, among patterns: String...) throws(RouteTableError) -> String? {
  try table(patterns).match(url)?.route.id
}

/// Returns `true` if the pattern matches.
func matches(_ pattern: String, _ url: String) throws(RouteTableError) -> Bool {
  try winner(url, among: pattern) != nil
}

/// Returns the error of a function; `nil` if it throws none.
func refusal(_ body: () throws(RouteTableError) -> Void) -> RouteTableError? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}
