// SPDX-License-Identifier: Apache-2.0
extension RouteMatch {
  /// The value of the capture `name`; `nil` if there is no such capture or its texts have no value of this type.
  ///
  /// ```swift
  /// match["tab", as: Tab.self]   // Tab.edit
  /// match["tags", as: [Int].self]
  /// ```
  /// The value of an absent capture is `nil`, or an empty array.
  public subscript<Argument: RouteArgument>(name: String, as type: Argument.Type) -> Argument? {
    let captures = pattern.captures
    guard let capture = captures.first(where: { $0.name == name }) else { return nil }
    return Argument.value(ofRouteTexts: texts(of: capture))
  }

  /// The texts of each capture, in the order of the pattern.
  ///
  /// An element contains one text, or all texts of a catch-all or list; it is `nil` if the capture is absent.
  public var captureTexts: [[String]?] { pattern.captures.map { texts(of: $0) } }

  private func texts(of capture: RouteCapture) -> [String]? {
    capture.extent == .single
      ? self[capture.name].map { [$0] } : self[list: capture.name].map { Array($0) }
  }
}
