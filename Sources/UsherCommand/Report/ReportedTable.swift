// SPDX-License-Identifier: Apache-2.0
import DBus
import RouteAnalysis
import RouteFiles
import RouteTables

/// The route table of a layer, or of the named files, in a report.
struct ReportedTable {
  /// The number of URLs that are explained.
  private static let mostExplanations = 200
  /// The number of overlaps that are listed.
  private static let mostOverlaps = 1_000

  private let set: RouteFileSet
  private let diagnostics: [RouteFileDiagnostic]
  /// The name of the layer: `user`, `administrator` or `programs`; `files` for the named files.
  private let layer: String

  init(_ set: RouteFileSet, _ diagnostics: [RouteFileDiagnostic], layer: String) {
    (self.set, self.diagnostics, self.layer) = (set, diagnostics, layer)
  }

  /// Returns the keys for JSON.
  ///
  /// - Parameters:
  ///   - history: the links of the history, for the coverage; `nil` if there is no history.
  ///   - urls: the URLs to explain.
  ///   - others: the tables of the other layers.
  func entries(
    history: URLLines?, explaining urls: URLLines, beside others: [ReportedTable]
  ) -> [String: Variant] {
    let tables = others.map(\.set.table)
    let explanations = urls.urls.lazy.compactMap(\.text).compactMap {
      ReportedURL($0, in: set.table, beside: tables)?.entries
    }
    var links = ReportedLinks(in: set.table)
    let coverage = history.map {
      CoverageReport(set.table, $0) { links.add($0, url: $1, reaching: $2) }
    }
    let routes = set.table.routes.enumerated().map { index, route in
      Self.entries(route, links: history == nil ? nil : links.numbers[index])
    }
    var entries: [String: Variant] = [
      "layer": .string(layer), "check": .dictionary(check),
      "routes": .dictionaries(routes),
      "explanations": .dictionaries(Array(explanations.prefix(Self.mostExplanations))),
      "files": .dictionaries(files),
    ]
    entries["coverage"] = coverage.map { .dictionary($0.entries) }
    return entries
  }

  /// Returns the routes of the table that would win a URL instead and do not match it, with the reasons.
  ///
  /// - Parameter others: the tables of the other layers.
  func nearMisses(of url: String, beside others: [ReportedTable]) -> [[String: Variant]] {
    guard let entries = ReportedURL(url, in: set.table, beside: others.map(\.set.table))?.entries else {
      return []
    }
    let misses = entries["near-misses"]?.dictionaries ?? []
    guard entries["url"] != .string(url) else { return misses }
    // The places of the differing parts are those in the normalized URL.
    return misses.map { miss in
      let mismatches = miss["mismatches"]?.dictionaries ?? []
      let placeless = mismatches.map { $0.filter { !["start", "end"].contains($0.key) } }
      return miss.merging(["mismatches": .dictionaries(placeless)]) { $1 }
    }
  }

  /// The files with types, or with routes that are left out.
  private var files: [[String: Variant]] {
    let damaged = Set(diagnostics.map(\.location.file))
    let known = Dictionary(grouping: set.table.routes, by: \.location.file).mapValues { Set($0.map(\.id)) }
    return set.files.compactMap { file in
      guard let read = ReportedFile(file.path) else { return nil }
      let entries = read.entries(without: damaged.contains(file.path) ? known[file.path] ?? [] : nil)
      let isEmpty = ["types", "left-out"].allSatisfy { entries[$0]?.dictionaries?.isEmpty != false }
      return isEmpty ? nil : entries
    }
  }

  /// The check with overlaps, as `usher routes check --strict` prints it.
  private var check: [String: Variant] {
    var check = RouteFilesCheck(of: [set], diagnostics, isStrict: true).entries(withDoubts: true)
    let findings = check["findings"]?.dictionaries ?? []
    let overlaps = findings.filter { $0["kind"] == .string("overlap") }
    guard overlaps.count > Self.mostOverlaps else { return check }
    let others = findings.filter { $0["kind"] != .string("overlap") }
    check["findings"] = .dictionaries(others + overlaps.prefix(Self.mostOverlaps))
    check["limits"] = .strings(
      (check["limits"]?.strings ?? []) + [
        "the report lists \(Self.mostOverlaps) of \(overlaps.count) overlaps"
      ])
    return check
  }

  /// Returns the keys of a route: its location, `route` s, `owner` s, `patterns` aa{sv}, `action` a{sv}; `when` aa{sv} and
  /// `wins-over` as if it has them.
  ///
  /// - Parameter links: the numbers of the links that reach each pattern; `nil` if there is no history.
  private static func entries(_ route: Route<RouteAction>, links: [[Int]]?) -> [String: Variant] {
    var entries = route.location.entries
    entries["route"] = .string(route.id)
    entries["owner"] = .string(route.owner)
    entries["action"] = .dictionary(route.action.writtenEntries)
    entries["patterns"] = .dictionaries(
      zip(route.patterns, route.record.patternLocations).enumerated().map { index, pattern in
        var entries: [String: Variant] = [
          "pattern": .string(pattern.0.description), "line": .int64(Int64(pattern.1.line)),
          "steps": .strings(pattern.0.steps),
        ]
        entries["links"] = links.map { .array(of: "x", $0[index].map { .int64(Int64($0)) }) }
        return entries
      })
    let conditions = route.conditions.map { condition -> [String: Variant] in
      ["name": .string(condition.name), "values": .strings(condition.written)]
    }
    entries["wins-over"] = route.winsOver.isEmpty ? nil : .strings(route.winsOver)
    entries["when"] = conditions.isEmpty ? nil : .dictionaries(conditions)
    return entries
  }
}
