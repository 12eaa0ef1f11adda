// SPDX-License-Identifier: Apache-2.0

/// The advice for a function that returns another URL, by its text.
enum CleaningAdvice {
  /// Returns what does the same as the function, as far as its text shows.
  static func sentence(for function: String) -> String {
    if let item = readItem(in: function) {
      return
        "`usher web catalog enable clean-redirects` opens the pages behind the redirectors that it knows; for another one, write "
        + "a route with `rewrite = { unwrap = \(item.inQuotes), first = true }`"
    }
    let names = ["utm_", "fbclid", "gclid", ".delete(", "delete "]
    guard names.contains(where: function.contains) else { return "write a route with `rewrite` by hand" }
    return
      "`usher web catalog enable clean-tracking` removes tracking parameters; for others, write a route with `rewrite = { drop = […] }`"
  }

  /// Returns the name of the query item that a function reads as a URL; `nil` if its text shows none.
  private static func readItem(in function: String) -> String? {
    guard let start = function.firstRange(of: "searchParams.get(")?.upperBound else { return nil }
    let rest = function[start...].drop(while: \.isWhitespace)
    guard let mark = rest.first, "\"'`".contains(mark) else { return nil }
    let item = rest.dropFirst().prefix { $0 != mark }
    return item.isEmpty || item.contains("$") || item.count > 64 ? nil : String(item)
  }
}
