extension RouteTable {
  /// Why `url` goes to the route that it goes to: by which rule over which others, and which routes nearly match, and where
  /// they fail.
  ///
  /// ```swift
  /// let explanation = try table.explain("notes://note/seven")
  /// let story = explanation.description
  /// ```
  ///
  /// The description is for a person:
  ///
  /// ```
  /// notes://note/seven
  ///   no route matches
  ///   nearly `note` (notes://note/{id:int}, notes.toml:4:9)
  ///     segment 1 is `seven` (bytes 14 to 18): `id` takes an `int`: a whole number of 64 bits, …
  /// ```
  ///
  /// Routes are compared one by one whose scheme is the URL's or looks like it: some milliseconds for thousands of them. Among
  /// routes with secret captures the whole table is looked at.
  ///
  /// - Parameters:
  ///   - url: a URL, or a bare path that begins with `/`.
  ///   - context: what the request says of itself, as for `match`.
  ///   - limit: how many near misses are told.
  ///   - hidden: what is not to be shown either, since it is secret by another table.
  /// - Throws: what `match` throws for a text that is no URL.
  public func explain(
    _ url: String, when context: [String: String] = [:], limit: Int = 5,
    hiding hidden: SecretMask = SecretMask()
  ) throws(RouteTableError) -> RouteExplanation {
    let found = try find(url, when: context)
    var search = ExplanationSearch(
      try DecodedURL(url), RouteRecords(self), storage.index, context, winner: found.map { Int($0.shape) },
      hiding: hidden)
    search.run()
    return search.explanation(limit: max(0, limit)) { suggestion in
      ((try? find(suggestion, when: context)) ?? nil)?.routeIndex
    }
  }
}
