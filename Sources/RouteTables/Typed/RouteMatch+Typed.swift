extension RouteMatch {
  /// The value of the capture `name`; `nil` if there is no such capture, and for what no value can be made of.
  ///
  /// ```swift
  /// match["tab", as: Tab.self]   // Tab.edit
  /// match["tags", as: [Int].self]
  /// ```
  /// What is absent is `nil`, and an array without elements.
  public subscript<Argument: RouteArgument>(name: String, as type: Argument.Type) -> Argument? {
    let captures = pattern.captures
    guard let capture = captures.first(where: { $0.name == name }) else { return nil }
    return Argument.value(ofRouteTexts: texts(of: capture))
  }

  /// What each capture took, in the order of the pattern: one text, of a rest and a list all of them, `nil` where it is absent.
  public var captureTexts: [[String]?] { pattern.captures.map { texts(of: $0) } }

  private func texts(of capture: RouteCapture) -> [String]? {
    capture.extent == .single
      ? self[capture.name].map { [$0] } : self[list: capture.name].map { Array($0) }
  }
}
