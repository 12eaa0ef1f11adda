import RouteTables

/// A table whose routes are named by their patterns.
func table(_ patterns: [String]) throws(RouteTableError) -> RouteTable<String> {
  var builder = RouteTableBuilder<String>()
  for pattern in patterns { try builder.add(pattern, id: pattern, action: pattern) }
  return try builder.build()
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
