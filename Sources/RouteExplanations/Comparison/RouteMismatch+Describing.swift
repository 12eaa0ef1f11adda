// SPDX-License-Identifier: Apache-2.0
import RouteTables

extension RouteMismatch: CustomStringConvertible {
  /// A sentence for the user: the component, the text found, and the expectation.
  public var description: String {
    switch place {
    case .path: pathSentence
    case .opening, .host, .user, .port: openingSentence
    case .query(let key): querySentence(key)
    case .request(let name): requestSentence(name)
    case .fragment where found == nil: "the fragment is missing, but this route has \(expected.written)"
    case .scheme where found == nil: "the scheme is missing, but this route has \(expected)"
    default: filled("\(place)")
    }
  }

  private func filled(_ place: String) -> String {
    let own = "\(place) is \(quoted)\(bytes)"
    if case .capture = expected { return "\(own), but \(expected)" }
    return "\(own), but this route has \(expected) there"
  }

  private var pathSentence: String {
    switch (expected, range) {
    case (_, nil) where isTrailingSlash: "the path has no final slash, but this route has one"
    case (_, _?) where isTrailingSlash: "the path ends with a slash\(bytes), but this route has none"
    case (.nothing, _): "the path continues with \(quoted)\(bytes), where this route ends"
    case (.capture, _): "the path lacks a segment: \(expected)"
    default: "the path lacks \(expected)"
    }
  }

  private var openingSentence: String {
    switch (place, expected) {
    case (.opening, _):
      "the scheme is followed by \(found.map { $0.isEmpty ? "no slash" : "`\($0)`" } ?? "nothing")\(bytes), "
        + "but in this route by \(expected)"
    case (.host, .nothing): "the host begins with \(quoted)\(bytes), which this route does not have"
    case (.host, .capture): "the host has too few labels\(bytes): \(expected)"
    case (.host, _): "the host has too few labels\(bytes): there is no \(expected)"
    case (.user, .nothing): "the URL has a user\(bytes), but this route has none"
    case (.user, .capture) where found == nil: "the URL has no user: \(expected)"
    case (.user, _) where found == nil: "the URL has no user, but this route has \(expected)"
    case (.port, _) where found == nil: "the URL has no port, but this route has \(expected)"
    case (.port, _): "the port is \(quoted)\(bytes), but this route has \(expected)"
    default: filled("\(place)")
    }
  }

  private func querySentence(_ key: String) -> String {
    switch (found, expected) {
    case (_, .nothing): "the query has \(quoted)\(bytes), but `\(key)` must be absent"
    case (nil, .literal), (nil, .oneOf), (nil, .part):
      "the query lacks `\(key)`, which must be \(expected)"
    case (nil, _): "the query lacks `\(key)`"
    default: filled("`\(key)` in the query")
    }
  }

  private func requestSentence(_ name: String) -> String {
    if let target = InstalledTarget(conditionName: name) {
      return "\(target), which this route requires (`target = \"installed\"`)"
    }
    if let target = RouteCondition.target(ofName: name) {
      return
        "\(target.isEmpty ? "the target application" : target) is not running, which this route requires"
    }
    if name == RouteCondition.Name.running, case .condition(let written) = expected {
      return runningSentence(RunningApplications(written: written))
    }
    let (own, other) =
      switch name {
      case RouteCondition.Name.source: ("the source is", "the source is unknown")
      case RouteCondition.Name.assurance:
        ("the assurance of the source is", "the assurance of the source is unknown")
      case RouteCondition.Name.origin: ("the origin is", "the request has no web origin")
      case RouteCondition.Name.userActivation:
        ("the user activation is", "the user neither clicked nor allowed it")
      case RouteCondition.Name.sandboxed:
        ("the sandbox state of the source is", "the source is not sandboxed")
      case RouteCondition.Name.remote:
        ("the link comes from the machine", "the link comes from this machine")
      case RouteCondition.Name.installed:
        ("the source is installed by the", "the source is unknown")
      default: ("`\(name)` of the request is", "`\(name)` of the request is unknown")
      }
    return "\(found.map { "\(own) `\($0)`" } ?? other), but this route requires \(expected)"
  }

  private func runningSentence(_ applications: RunningApplications) -> String {
    let (oneOf, noneOf) = (Self.alternatives(applications.oneOf), Self.alternatives(applications.noneOf))
    if applications.noneOf.isEmpty {
      return applications.oneOf.count == 1
        ? "\(oneOf) is not running, which this route requires"
        : "none of \(oneOf) is running, which this route requires"
    }
    guard !applications.oneOf.isEmpty else { return "\(noneOf) is running, which this route excludes" }
    return "this route requires that \(oneOf) is running, and that \(noneOf) is not"
  }

  private static func alternatives(_ ids: [String]) -> String {
    ids.map { "`\($0)`" }.joined(separator: " or ")
  }

  private var quoted: String { found.map { $0.isEmpty ? "empty" : "`\($0)`" } ?? "missing" }

  /// The byte range as text, counted from 1.
  private var bytes: String {
    guard let range, !range.isEmpty else { return "" }
    return range.count == 1
      ? " (byte \(range.lowerBound + 1))" : " (bytes \(range.lowerBound + 1) to \(range.upperBound))"
  }
}

extension ExpectedComponent {
  /// The expectation as a fragment in pattern syntax.
  fileprivate var written: String {
    switch self {
    case .literal(let text), .part(let text): "`#\(text)`"
    default: "one: \(self)"
    }
  }
}
