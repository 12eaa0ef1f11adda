/// Two shapes side by side: what both match, and whether one matches all that the other does.
struct ShapeProduct {
  private let first: (shape: RouteShape, pattern: RoutePattern)
  private let second: (shape: RouteShape, pattern: RoutePattern)

  init(_ first: RouteShape, _ pattern: RoutePattern, _ second: RouteShape, _ other: RoutePattern) {
    self.first = (first, pattern)
    self.second = (second, other)
  }

  /// Whether everything that the first matches, the second matches, too; what is too large to tell is not.
  func isFirstInSecond(_ languages: inout LanguageTable) -> Bool {
    let wider = second.shape.shape.scheme
    guard wider == nil || wider == first.shape.shape.scheme else { return false }
    let (one, other) = classes(&languages)
    var search = RequestSearch(inside: [one], outside: [other])
    return if case .none = search.run(&languages) { true } else { false }
  }

  /// A request that both match; `nil` if there is none.
  func witness(_ languages: inout LanguageTable) -> RouteRequest? {
    let (one, other) = classes(&languages)
    var search = RequestSearch(inside: [one, other])
    return if case .found(let request) = search.run(&languages) { request } else { nil }
  }

  private func classes(_ languages: inout LanguageTable) -> (RequestClass, RequestClass) {
    (
      RequestClass(first.shape, first.pattern, &languages),
      RequestClass(second.shape, second.pattern, &languages)
    )
  }
}
