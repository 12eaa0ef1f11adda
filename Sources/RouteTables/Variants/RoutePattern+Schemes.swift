// SPDX-License-Identifier: Apache-2.0
extension RoutePattern {
  /// The maximum number of schemes for ``everyURL(ofSchemes:authority:)``, which uses four variants for each.
  public static let maximumSchemes = RouteLimits.variants / 4

  /// Returns patterns that together match every URL of some schemes, in each form.
  ///
  /// They match URLs with and without a host, with any user, port, path, query and fragment. A pattern of one of the
  /// schemes that matches fewer URLs is narrower; a pattern that matches all URLs of one form, such as `vnc:{x...?}`,
  /// conflicts with these. The captures of these patterns have no meaning of their own, because the same text is a host in
  /// one form and a path in another.
  ///
  /// ```swift
  /// let vnc = try RoutePattern.everyURL(ofSchemes: ["vnc"])
  /// try routes.add(vnc, id: "vnc", action: "deny", at: SourceLocation(file: "routes", line: 1))
  /// try routes.build().match("vnc://ada@h.example:5900?q#f")?.route.id   // "vnc"
  /// ```
  ///
  /// - Parameters:
  ///   - schemes: Scheme names as in RFC 3986, section 3.1, at most ``maximumSchemes``.
  ///   - authority: The interpretation of the text after `scheme:` in the other patterns of these schemes, so that they are
  ///     comparable.
  /// - Throws: ``RouteTableError`` if a text is not a scheme, a scheme occurs twice, or there are too many.
  public static func everyURL(
    ofSchemes schemes: [String], authority: RouteOptions.Authority = .host
  ) throws(RouteTableError) -> [RoutePattern] {
    guard schemes.count <= maximumSchemes else {
      throw RouteTableError(.tooMany("schemes", limit: maximumSchemes))
    }
    for scheme in schemes {
      guard let first = scheme.utf8.first, first.isASCIILetter, scheme.utf8.allSatisfy(\.isSchemeByte) else {
        throw RouteTableError(.missingScheme)
      }
    }
    let options = RouteOptions(authority: authority, user: .any)
    var patterns: [RoutePattern] = []
    func add(_ names: [String], _ rests: [String]) throws(RouteTableError) {
      guard let first = names.first else { return }
      let scheme = names.count == 1 ? first : "{:\(names.joined(separator: "|"))}"
      for rest in rests { patterns.append(try RoutePattern("\(scheme):\(rest)", options: options)) }
    }
    guard authority == .host else {
      try add(schemes, ["{rest...?}"])
      return patterns
    }
    let web = schemes.filter { ParsedURL.defaultPort(of: $0.lowercased()) != nil }
    let file = schemes.filter { $0.lowercased() == "file" }
    try add(web, ["//*:*/{rest...?}"])
    try add(file, ["//*:*/{rest...?}"])
    try add(
      schemes.filter { !web.contains($0) && !file.contains($0) },
      ["{rest...?}", "/{rest...?}", "///{rest...?}", "//*:*/{rest...?}"])
    return patterns
  }

  /// Patterns that together match every URL of every scheme except some, however it is written.
  ///
  /// Without excluded schemes, every other pattern is narrower.
  ///
  /// ```swift
  /// try routes.add(RoutePattern.everyURL(), id: "all", action: "deny", at: SourceLocation(file: "routes", line: 1))
  /// try routes.build().match("zork:x")?.route.id   // "all"
  /// ```
  ///
  /// - Parameter excluded: Scheme names, at most ``RouteLimits/variants``.
  /// - Throws: ``RouteTableError`` if a text is not a scheme, a scheme occurs twice, or there are too many.
  public static func everyURL(except excluded: [String] = []) throws(RouteTableError) -> [RoutePattern] {
    let options = RouteOptions(user: .any)
    let schemes = excluded.isEmpty ? "" : "{!\(excluded.joined(separator: "|"))}:"
    return [
      try RoutePattern("\(schemes.isEmpty ? "*:" : schemes){rest...?}", options: options),
      try RoutePattern("\(schemes)/{rest...?}", options: options),
    ]
  }
}
