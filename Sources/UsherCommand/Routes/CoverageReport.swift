// SPDX-License-Identifier: Apache-2.0
import RouteAnalysis
import BusInterfaces
import DBus
import HostNames
import RouteTables

/// The report of the routes that a set of URLs reaches, as text and as JSON.
struct CoverageReport {
  private var coverage: RouteCoverage<RouteAction>
  private var missed: [(place: SourceLocation, url: String)] = []
  private var invalid: [(place: SourceLocation, message: String)] = []

  /// Finds the routes that URLs reach.
  ///
  /// - Parameter reached: Called for each valid URL with its position in `lines`, its text with a mapped host, and the indices of the
  ///   routes that it reaches.
  init(
    _ table: RouteTable<RouteAction>, _ lines: URLLines,
    reached: (_ number: Int, _ url: String, _ routes: [Int]) -> Void = { _, _, _ in }
  ) {
    coverage = RouteCoverage(of: table)
    for (number, (place, text)) in lines.urls.enumerated() {
      guard let text else {
        invalid.append((place, "\(URLString.Invalid.notUTF8)"))
        continue
      }
      do {
        let url = try HostName.mappingHost(of: text)
        let routes = try coverage.add(url)
        if routes.isEmpty { missed.append((place, Self.shown(text))) }
        reached(number, url, routes)
      } catch {
        invalid.append((place, "\(error)"))
      }
    }
  }

  /// A Boolean value that is `true` if every route is reached.
  var isComplete: Bool { coverage.counts.allSatisfy { $0 > 0 } }

  /// A line for each route, then one for each URL without a route.
  var lines: [StyledText] {
    let routes = coverage.table.routes.enumerated().map { number, route in
      let count = coverage.counts[number]
      return line(
        at: "\(route.location)", emphasis: count > 0 ? .good : isUndecided(number) ? .open : .bad,
        "\(route.id): " + (count > 0 ? count.counted("URL") : sentence(ofUnreached: number))
      )
    }
    return routes + missed.map { line(at: Self.text(of: $0.place), emphasis: .open, "no route: \($0.url)") }
  }

  /// Returns `true` if it is undecided whether a route is reached.
  private func isUndecided(_ route: Int) -> Bool {
    coverage.counts[route] == 0 && coverage.undecided.contains(route)
  }

  private func sentence(ofUnreached route: Int) -> String {
    isUndecided(route)
      ? "reachability unknown: the conditions of the routes are too complex to compare" : "never reached"
  }

  /// The messages about lines that are not URLs.
  var diagnostics: [String] { invalid.map { "\(Self.text(of: $0.place)): \($0.message)" } }

  /// The number of reached routes, and of the URLs.
  var summary: String {
    let routes = coverage.counts.count
    let reached = coverage.counts.count { $0 > 0 }
    return
      "\(reached) of \(routes.counted("route")) reached (\(coverage.percentage) %); \(coverage.urlCount.counted("URL")), "
      + "\(missed.count) without a route, \(invalid.count) invalid"
  }

  /// The keys for JSON: `routes` aa{sv}, `percentage` x, `urls` x, `unmatched` aa{sv}, `invalid` aa{sv}.
  var entries: [String: Variant] {
    let routes = coverage.table.routes.enumerated().map { number, route in
      var entries = route.location.entries
      entries["route"] = .string(route.id)
      entries["owner"] = .string(route.owner)
      entries["count"] = .int64(Int64(coverage.counts[number]))
      entries["undecided"] = isUndecided(number) ? .boolean(true) : nil
      return entries
    }
    func list(_ items: [(SourceLocation, String)], _ key: String) -> Variant {
      .dictionaries(
        items.map { place, text in
          ["file": .string(place.file), "line": .int64(Int64(place.line)), key: .string(text)]
        })
    }
    return [
      "routes": .dictionaries(routes), "percentage": .int64(Int64(coverage.percentage)),
      "urls": .int64(Int64(coverage.urlCount)), "unmatched": list(missed, "url"),
      "invalid": list(invalid, "message"),
    ]
  }

  private func line(at place: String, emphasis: StyledText.Emphasis, _ sentence: String) -> StyledText {
    let text: StyledText = "\("\(place):", as: emphasis) \(sentence)"
    return text.inOneLine
  }

  private static func text(of place: SourceLocation) -> String { "\(place.file):\(place.line)" }

  /// Returns the URL without the parts that may be secret: user, query and fragment.
  static func shown(_ url: String) -> String {
    // A path without a scheme matches any scheme, and is shown like that of any URL.
    let scheme = url.hasPrefix("/") ? "path:" : ""
    guard let whole = try? URLString(scheme + url) else { return "…" }
    let shown = whole.redacted.dropFirst(scheme.count)
    // If the scheme is missing, a user name looks like one: `ada:password@host`. The scalars are searched, because a
    // combining mark after a delimiter would hide it among the characters.
    let first = shown.unicodeScalars.prefix { $0 != "/" }
    guard let end = first.lastIndex(of: "@") else { return String(shown) }
    return String(first.prefix { $0 != ":" }) + ":…" + shown[end...]
  }
}
