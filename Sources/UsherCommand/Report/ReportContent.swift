// SPDX-License-Identifier: Apache-2.0
import struct BrokerCore.RemoteMachine
import BusInterfaces
import DBus
import Glibc
import RouteTables

/// The data of a report: `desktop/schemas/usher-report.schema.json` describes it.
///
/// It consists of the objects that other commands print with `--json`.
struct ReportContent {
  /// The number of different links of the history whose decision is explained.
  private static let mostDecisions = 200

  private let since: PointInTime?
  private let tables: [ReportedTable]
  private let urls: URLLines?
  /// The requests, the newest first; empty if the broker cannot be reached.
  private let requests: [[String: Variant]]
  /// The error by which the history cannot be read; `nil` if it was read.
  private let failure: BusError?

  /// Reads the history.
  ///
  /// - Parameter urls: the URLs to explain; `nil` for those of the history.
  init(since: PointInTime?, tables: [ReportedTable], urls: URLLines?) {
    (self.since, self.tables, self.urls) = (since, tables, urls)
    do throws(BrokerConnection.Failure) {
      requests = try BrokerConnection().ask { bus throws(BusError) in
        try bus.history(limit: 10_000, since: since)
      }
      failure = nil
    } catch {
      requests = []
      failure =
        switch error {
        case .unreachable(let reason): BusError(.needsBus, "the broker cannot be reached: \(reason)")
        case .answered(let error): error
        }
    }
  }

  /// The reason why the report has no history, as a sentence; `nil` if it has.
  var historyFailure: String? { failure?.message }

  /// Adds the page with the data to a file.
  func write(to file: inout ReportFile) {
    file.write(ReportPage.beforeData)
    let clock = UInt64(max(0, time(nil))) * 1_000_000
    file.write(
      json: "{\"version\":\(JSONText.line(.string(UsherVersion.text))),\"time\":\(clock)"
        + (since.map { ",\"since\":\($0.microseconds)" } ?? ""))
    let handlers = HandlersInvocation.entries()
    file.write(json: ",\"handlers\":" + JSONText.line(.dictionaries(handlers)))
    file.write(json: ",\"machines\":" + JSONText.line(Self.machines(in: handlers + requests)))
    file.write(json: ",\"doctor\":" + JSONText.line(DoctorCommand.report()))
    let links = shownLinks
    let named = urls ?? URLLines(links)
    file.write(json: ",\"routes\":{\"tables\":[")
    for (index, table) in tables.enumerated() {
      let others = tables.indices.filter { $0 != index }.map { tables[$0] }
      let entries = table.entries(
        history: failure == nil ? URLLines(links) : nil, explaining: named, beside: others)
      file.write(json: (index > 0 ? "," : "") + JSONText.line(entries))
    }
    file.write(json: "]},\"decisions\":[")
    for (index, decision) in decisions.enumerated() {
      file.write(json: (index > 0 ? "," : "") + JSONText.line(decision))
    }
    file.write(json: "],\"history\":{")
    if let failure {
      file.write(
        json:
          "\"error\":\(JSONText.line(.string(failure.name.rawValue))),\"message\":\(JSONText.line(.string(failure.message)))"
      )
    } else {
      file.write(json: "\"entries\":[")
      for (index, request) in requests.enumerated() {
        file.write(json: (index > 0 ? "," : "") + JSONText.line(request))
      }
      file.write(json: "]")
    }
    file.write(json: "}}")
    file.write(ReportPage.afterData)
  }

  /// Returns the titles of the machines and containers that entries name as `remote`, by these names.
  private static func machines(in entries: [[String: Variant]]) -> [String: Variant] {
    let titles = entries.compactMap { $0["remote"]?.string }.map {
      ($0, Variant.string(RemoteMachine.title(ofMachineNamed: $0)))
    }
    return Dictionary(titles) { $1 }
  }

  /// The different URLs of the history that are shown completely except for query and fragment, the newest first.
  private var shownLinks: [(place: SourceLocation, text: String?)] {
    var known: Set<String> = []
    var links: [(place: SourceLocation, text: String?)] = []
    for url in requests.flatMap({ $0["urls"]?.strings ?? [] }) {
      guard let plain = ShownURL.plain(url), known.insert(plain).inserted else { continue }
      links.append((SourceLocation(file: "history", line: links.count + 1), plain))
    }
    return links
  }

  /// The explanations of the newest different links, each for its source.
  private var decisions: [[String: Variant]] {
    guard failure == nil else { return [] }
    var known: Set<[String]> = []
    var decisions: [[String: Variant]] = []
    for request in requests {
      guard decisions.count < Self.mostDecisions else { break }
      guard let url = (request["urls"]?.strings?.first).flatMap(ShownURL.plain),
        let corrected = try? CorrectedURL(url)
      else { continue }
      let source = ["source-application", "assurance", "remote"].map { request[$0]?.string }
      guard known.insert([url] + source.map { $0 ?? "" }).inserted,
        let caller = try? ExplainedCaller(
          application: source[0], assurance: source[1].flatMap(Assurance.init(rawValue:)), remote: source[2])
      else { continue }
      var entries: [String: Variant] = ["url": .string(url)]
      for key in ["source-application", "assurance", "remote"] { entries[key] = request[key] }
      entries["explanation"] = .dictionary(ExplanationReport(corrected, OpenOptions(), as: caller).entries)
      let misses = nearMisses(of: url)
      entries["near-misses"] = misses.isEmpty ? nil : .dictionaries(misses)
      decisions.append(entries)
    }
    return decisions
  }

  /// Returns the routes of all tables that would win a URL and do not match it.
  private func nearMisses(of url: String) -> [[String: Variant]] {
    tables.indices.flatMap { index in
      let others = tables.indices.filter { $0 != index }.map { tables[$0] }
      return tables[index].nearMisses(of: url, beside: others)
    }
  }
}
