// SPDX-License-Identifier: Apache-2.0
/// A URL as the routes of a policy compare it: as it is written, and in the other ways in which programs read it.
///
/// The host of an http, https, ws, wss or ftp URL is mapped before a table reads it, because every program maps it.
/// Under any other scheme a program may map the host or not, and may read a `\` as a `/` or not. A route compares the written
/// URL, and a route that restricts compares the other readings too.
public struct ComparedURL: Sendable {
  /// The URL; under http, https, ws, wss and ftp, with its host mapped.
  ///
  /// A `\` is encoded. If the URL has no valid host then, it ends at the `\`, which is a `/` here.
  public let text: String
  /// The other readings of the URL; empty if there are none.
  public let otherReadings: [Reading]

  /// Another reading of a URL.
  public enum Reading: Hashable, Sendable {
    /// The URL with its host as other programs read it, such as with the host mapped as browsers do.
    case mapped(String)
    /// The URL with each `\` as a `/`.
    case slashes(String)
    /// The host cannot be mapped, for this reason.
    case unmapped(reason: String)

    /// The text of the reading; `nil` if there is none.
    public var text: String? {
      switch self {
      case .mapped(let text), .slashes(let text): text
      case .unmapped: nil
      }
    }

    /// A Boolean value that indicates whether a backslash is a slash in the reading.
    var isSlashes: Bool { if case .slashes = self { true } else { false } }

    /// The clause about the programs that read the URL so.
    public var reader: String {
      switch self {
      case .mapped, .unmapped: "some programs read the host differently"
      case .slashes: "some programs read a backslash as a slash"
      }
    }
  }

  /// The host of the written URL.
  var host: String? { (try? URLAuthority(text))?.host }

  /// Creates a URL with its readings.
  ///
  /// - Parameters:
  ///   - url: The URL as it came.
  ///   - mappingHost: Returns the URL with its host mapped if every program maps it.
  ///   - otherReading: Returns the URL with its host as only some programs read it; `nil` if all read the same host.
  public init<Failure: Error & CustomStringConvertible>(
    _ url: String, mappingHost: (String) throws(Failure) -> String,
    otherReading: (String) -> Result<String, Failure>?
  ) throws(Failure) {
    func mapped(_ text: String) -> [Reading] {
      switch otherReading(text) {
      case nil: []
      case .success(let text)?: [.mapped(text)]
      case .failure(let error)?: [.unmapped(reason: error.description)]
      }
    }
    guard let encoded = url.encodingBackslashes, let slashes = url.readingBackslashesAsSlashes else {
      text = try mappingHost(url)
      otherReadings = mapped(text)
      return
    }
    guard (try? URLAuthority(encoded)) != nil else {
      text = slashes
      otherReadings = mapped(slashes)
      return
    }
    text = encoded
    otherReadings = mapped(encoded) + (slashes == encoded ? [] : [.slashes(slashes)] + mapped(slashes))
  }
}

extension RouteTable where Action == RouteAction {
  /// Returns the match of the route that wins a URL in all its readings.
  ///
  /// The route that wins the written URL decides, unless a route that denies or asks wins another reading. The `url` of
  /// the match is the URL that the route matches.
  ///
  /// - Throws: ``RouteTableError`` if the URL cannot be read. Its reason is `uncertainHost` if another reading belongs to
  ///   a final route that does not win the written URL, or cannot be compared with a route that restricts.
  public func match(
    _ url: ComparedURL, when context: [String: String], verified: [String: String]?
  ) throws(RouteTableError) -> RouteMatch<RouteAction>? {
    let written = try match(url.text, when: context, verified: verified)
    var strictest: RouteMatch<RouteAction>?
    for reading in url.otherReadings {
      guard
        let match = try restriction(of: reading, of: url, beside: written, when: context, verified: verified),
        strictest.map(match.isStricter(than:)) ?? true
      else { continue }
      strictest = match
    }
    return strictest ?? written
  }

  /// Returns the match of another reading if it restricts the URL more than the match of the written one; `nil` otherwise.
  private func restriction(
    of reading: ComparedURL.Reading, of url: ComparedURL, beside written: RouteMatch<RouteAction>?,
    when context: [String: String], verified: [String: String]?
  ) throws(RouteTableError) -> RouteMatch<RouteAction>? {
    let text: String
    switch reading {
    case .mapped(let other), .slashes(let other): text = other
    case .unmapped(let reason):
      guard mayForbidHost(underSchemeOf: url.text) else { return nil }
      throw RouteTableError(.uncertainHost(reason))
    }
    let match: RouteMatch<RouteAction>?
    do throws(RouteTableError) {
      match = try self.match(text, when: context, verified: verified)
    } catch {
      guard mayForbidUnreadable(reading) else { return nil }
      throw RouteTableError(
        .uncertainHost(
          "\(reading.reader); the URL as these programs read it cannot be compared with the routes: \(error)")
      )
    }
    guard let match, written.map({ $0.route.rank >= match.route.rank }) ?? true else { return nil }
    guard written?.route.owner != match.route.owner || written?.route.id != match.route.id else {
      // A route asks about one host, and its answer may be stored for it.
      guard case (.slashes, .ask) = (reading, match.action), (try? URLAuthority(text))?.host != url.host
      else {
        return nil
      }
      throw RouteTableError(
        .uncertainHost("\(reading.reader) and find another host; write / or %5C instead of the backslash"))
    }
    // A denial is as strict as any route of its own layer, but a final route precedes those of other layers.
    if let written, written.action.isDenial, written.route.rank == match.route.rank { return nil }
    switch match.action {
    case .deny, .ask: return match
    case .allow, .handler: return nil
    case .open, .perform, .exec, .rewrite:
      guard match.route.rank == .finalAdministrator else { return nil }
      let host = (try? URLAuthority(text))?.host ?? ""
      throw RouteTableError(
        .uncertainHost(
          reading.isSlashes
            ? "\(reading.reader), and then the final route “\(match.route.id)” decides; write / or %5C instead of the backslash"
            : "some programs read the host as \(host), for which the final route “\(match.route.id)” decides; write the host as \(host)"
        ))
    }
  }

  /// Returns whether a route that denies, asks or is final names a host under the scheme of a URL.
  private func mayForbidHost(underSchemeOf url: String) -> Bool {
    let scheme = url.foldedScheme ?? ""
    return routes.contains { route in
      route.restricts && route.patterns.contains { $0.mayMatch(scheme: scheme) && $0.namesHost }
    }
  }

  /// Returns whether an unreadable URL could match a route that denies, asks or is final, in any reading.
  public func mayForbidUnreadable(_ url: ComparedURL, _ authority: URLAuthority) -> Bool {
    mayForbidUnreadable(authority)
      || url.otherReadings.contains { reading in
        guard case .unmapped = reading else { return mayForbidUnreadable(reading) }
        return mayForbidHost(underSchemeOf: url.text)
      }
  }

  private func mayForbidUnreadable(_ reading: ComparedURL.Reading) -> Bool {
    reading.text.flatMap { try? URLAuthority($0) }.map(mayForbidUnreadable) ?? true
  }
}

extension RouteGap {
  /// Returns whether the rule could have matched `url` in any of its readings.
  public func mayCover(_ url: ComparedURL, _ authority: URLAuthority) -> Bool {
    if mayCover(url.text, authority) { return true }
    return url.otherReadings.contains { reading in
      guard let text = reading.text else {
        guard case .patterns(let patterns) = extent else { return false }
        return patterns.contains { $0.mayMatch(scheme: url.text.foldedScheme ?? "") && $0.namesHost }
      }
      return (try? URLAuthority(text)).map { mayCover(text, $0) } ?? true
    }
  }
}

extension RouteMatch where Action == RouteAction {
  /// Returns whether this match restricts a URL more than `other`: of an earlier layer, or a denial beside a question.
  fileprivate func isStricter(than other: Self) -> Bool {
    guard route.rank == other.route.rank else { return route.rank < other.route.rank }
    return action.isDenial && !other.action.isDenial
  }
}

extension Route where Action == RouteAction {
  /// A Boolean value that indicates whether the route denies, asks or is final.
  var restricts: Bool {
    switch action {
    case .deny, .ask: true
    default: rank == .finalAdministrator
    }
  }
}

extension RouteAction {
  fileprivate var isDenial: Bool { if case .deny = self { true } else { false } }
}

extension RoutePattern {
  /// A Boolean value that indicates whether the pattern names a host.
  fileprivate var namesHost: Bool {
    options.authority == .host && authority.map { !$0.labels.isEmpty || $0.lead != .none } ?? false
  }
}
