// SPDX-License-Identifier: Apache-2.0
public import RouteTables

extension RouteTable {
  /// Explains which route `url` matches and why, and which routes nearly match.
  ///
  /// ```swift
  /// let explanation = try table.explain("notes://note/seven")
  /// let text = explanation.description
  /// ```
  ///
  /// The description is for the user:
  ///
  /// ```
  /// notes://note/seven
  ///   no route matches
  ///   nearly matches `note` (notes://note/{id:int}, notes.toml:4:9)
  ///     segment 1 is `seven` (bytes 14 to 18), but `id` must be an `int`: a whole number of 64 bits, …
  /// ```
  ///
  /// The URL is compared with each route of its scheme and of similar schemes, which takes some milliseconds for thousands
  /// of routes. If routes have secret captures, it is compared with the whole table.
  ///
  /// - Parameters:
  ///   - url: A URL, or a bare path that begins with `/`.
  ///   - context: The values of the conditions, as for `match`.
  ///   - limit: The maximum number of near misses.
  ///   - hidden: Further bytes that are not shown, because they are secret in another table.
  /// - Throws: The error of `match` if the text is not a URL.
  public func explain(
    _ url: String, when context: [String: String] = [:], limit: Int = 5,
    hiding hidden: SecretMask = SecretMask()
  ) throws(RouteTableError) -> RouteExplanation {
    let found = try find(url, when: context)
    var search = ExplanationSearch(
      try DecodedURL(url), routes: RouteRecords(self), index: storage.index, context: context,
      winner: found.map { Int($0.shape) },
      hiding: hidden)
    search.run()
    return search.explanation(limit: max(0, limit)) { suggestion in
      (try? find(suggestion, when: context))?.routeIndex
    }
  }
}
