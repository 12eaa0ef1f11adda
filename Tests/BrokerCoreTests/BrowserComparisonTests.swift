// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// A comparison of the broker's URL parsing with a browser's: Node's `URL`, which implements WHATWG's standard.
///
/// `USHER_BROWSER_URLS=60000 swift test --filter BrowserComparison` compares more URLs.
@Suite(.computes) struct BrowserComparisonTests {
  /// The parts of a URL as a browser parses them.
  private struct Reading {
    let scheme: String
    /// The host without one trailing dot.
    ///
    /// Browsers do not normalize hosts of other schemes; these are percent-decoded and in lower case (RFC 3986, section
    /// 6.2.2).
    let host: String

    init(_ parts: [String]) {
      scheme = parts[0]
      var host = parts[1]
      if !BrowserComparisonTests.special.contains(scheme) {
        let decoded = Self.percentDecoded(host)
        host = String(decoding: decoded.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
      }
      self.host = host.hasSuffix(".") && !host.hasSuffix("..") && host != "." ? String(host.dropLast()) : host
    }

    /// Foundation's own decoding would drop a byte order mark.
    private static func percentDecoded(_ text: String) -> [UInt8] {
      var bytes: [UInt8] = []
      var rest = Array(text.utf8)[...]
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"),
          let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        {
          bytes.append(code)
          rest = rest.dropFirst(2)
        } else {
          bytes.append(byte)
        }
      }
      return bytes
    }
  }

  private static let count =
    ProcessInfo.processInfo.environment["USHER_BROWSER_URLS"].flatMap { Int($0) } ?? 6_000
  private static let special: Set<String> = ["http", "https", "ws", "wss", "ftp"]

  private static func urls(seed: UInt64) -> [String] {
    var mutator = URLMutator(seed: seed)
    return (0..<count).map { _ in mutator.next() }
  }

  /// Returns Node's result for each URL; `nil` for a URL that Node rejects.
  private func read(_ urls: [String]) async throws -> [Reading?] {
    try await run("[url.protocol.slice(0, -1), url.hostname]", on: urls, [[String]?].self).map {
      $0.map(Reading.init)
    }
  }

  /// Returns the text of each URL as Node writes it; `nil` for a URL that Node rejects.
  private func hrefs(_ urls: [String]) async throws -> [String?] {
    try await run("url.href", on: urls, [String?].self)
  }

  /// Returns the value of a JavaScript expression for each `url`.
  private func run<Value: Decodable>(
    _ expression: String, on urls: [String], _ type: Value.Type
  ) async throws -> Value {
    let program = """
      const read = text => { try { const url = new URL(text); return \(expression) } catch { return null } };
      let text = "";
      process.stdin.setEncoding("utf8").on("data", part => text += part)
        .on("end", () => process.stdout.write(JSON.stringify(JSON.parse(text).map(read))));
      """
    let input = String(decoding: try JSONEncoder().encode(urls), as: UTF8.self)
    let result = try await Command.run("node", ["-e", program], input: input)
    try #require(result.succeeded, "\(result)")
    return try JSONDecoder().decode(type, from: Data(result.outputBytes))
  }

  @Test func `The broker and a browser name the same host`() async throws {
    let urls = Self.urls(seed: 23)
    var (same, differing, onlyBroker, refused) = (0, [String](), [String](), 0)
    for (text, reading) in zip(urls, try await read(urls)) {
      guard let url = try? CorrectedURL(text).url, let normalized = try? NormalizedURL(url) else {
        refused += 1
        continue
      }
      guard let reading else {
        // A URL that a browser does not open reaches no host.
        onlyBroker.append(text)
        continue
      }
      let host = normalized.url.host ?? ""
      if host == reading.host {
        same += 1
      } else if url.scheme != "file" {
        differing.append("\(text): \(host), the browser: \(reading.host)")
      }
    }
    print(
      "\(urls.count) URLs: \(same) with the same host, \(differing.count) with another, \(refused) refused, \(onlyBroker.count) that only the broker reads"
    )
    #expect(differing.isEmpty, "\(differing.prefix(20))")
    #expect(same > urls.count / 4)
  }

  @Test func `A browser reads a corrected URL as the text`() async throws {
    var mutator = URLMutator(seed: 55)
    var texts: [String] = []
    var corrected: [String] = []
    while texts.count < Self.count / 6 {
      let text = mutator.next()
      guard let url = try? CorrectedURL(text), !url.corrections.isEmpty, Self.special.contains(url.url.scheme)
      else { continue }
      texts.append(text)
      corrected.append(url.url.text)
    }
    let (written, opened) = (try await hrefs(texts), try await hrefs(corrected))
    for (index, text) in texts.enumerated() {
      // Node 20 keeps `..` after a segment that begins with a dot: https://a/.b/c/../d. Browsers do not.
      if opened[index]?.contains("/../") == true { continue }
      // Browsers do not encode a backslash after the path, and servers decode it.
      #expect(written[index]?.replacing("\\", with: "%5C") == opened[index], "\(text): \(corrected[index])")
    }
  }

  @Test func `No spelling of a denied host is opened`() async throws {
    let rules = try WorkplaceRules(
      administrator: """
        [route.bank]
        match = ["{:http|https|ftp}://bank.example:*/{p...?}", "app://bank.example:*/{p...?}"]
        deny = "no"
        final = true
        """)
    try await attack(rules, grants: [], seed: 24) { isBank, outcome in isBank && outcome == .opened }
  }

  @Test func `Every spelling of a host causes a question, unless its answer is stored`() async throws {
    let ask = """
      [route.bank]
      match = ["{:http|https|ftp}://bank.example:*/{p...?}", "app://bank.example:*/{p...?}"]
      ask = true
      remember = "host"
      """
    let rules = try WorkplaceRules(user: ask)
    try await attack(rules, grants: [], seed: 25) { isBank, outcome in isBank && outcome == .opened }
    let no = Grant(
      WorkplaceRules.scope(of: "bank", host: "bank.example"), .no, assurance: .unknown)
    try await attack(rules, grants: [no], seed: 26) { isBank, outcome in
      isBank && (outcome == .opened || outcome == .asked)
    }
  }

  @Test func `An answer and a grant for a host open no other host`() async throws {
    let elsewhere = """
      [route.all]
      match = ["{:http|https|ftp}://*:*/{p...?}", "app://*:*/{p...?}"]
      """
    let asked = try WorkplaceRules(user: elsewhere + "\nask = true\nremember = \"host\"\n")
    let yes = Grant(
      WorkplaceRules.scope(of: "all", host: "bank.example"), .yes, assurance: .unknown)
    try await attack(asked, grants: [yes], seed: 27) { isBank, outcome in !isBank && outcome == .opened }
    let allowed = try WorkplaceRules(
      administrator: elsewhere + "\ndeny = \"only the bank\"\n",
      user: """
        [route.bank]
        match = ["{:http|https|ftp}://bank.example:*/{p...?}", "app://bank.example:*/{p...?}"]
        allow = true
        """)
    try await attack(allowed, grants: [], seed: 28) { isBank, outcome in !isBank && outcome == .opened }
  }

  /// The hosts that GLib's two parsers and Python's `urllib` find in each URL, in lower case and without a dot at the end.
  ///
  /// A parser that is not installed, or that refuses the URL, has no host.
  private func hosts(_ urls: [String]) async throws -> [Set<String>] {
    let program = """
      import json, sys
      from urllib.parse import unquote, urlsplit
      try:
          import gi
          gi.require_version("GLib", "2.0")
          from gi.repository import GLib
          flags = [GLib.UriFlags.NONE, GLib.UriFlags.PARSE_RELAXED]
      except (ImportError, ValueError, AttributeError):
          flags = []
      def hosts(url):
          for read in [lambda: urlsplit(url).hostname] + [lambda f=f: GLib.Uri.parse(url, f).get_host() for f in flags]:
              try:
                  host = unquote(read() or "").lower()
                  yield host[:-1] if host.endswith(".") else host
              except Exception:
                  pass
      print(json.dumps([list(set(hosts(url))) for url in json.load(sys.stdin)]))
      """
    let input = String(decoding: try JSONEncoder().encode(urls), as: UTF8.self)
    let result = try await Command.run("/usr/bin/python3", ["-c", program], input: input)
    try #require(result.succeeded, "\(result)")
    return try JSONDecoder().decode([Set<String>].self, from: Data(result.outputBytes))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func `No reader of a URL reaches a denied host, or another host than the allowed one`() async throws {
    let match = "match = [\"{:http|https|ftp}://bank.example:*/{p...?}\", \"app://bank.example:*/{p...?}\"]"
    let denied = try WorkplaceRules(
      administrator: "[route.bank]\n\(match)\ndeny = \"no\"\nfinal = true\n",
      user: "[route.mine]\nscheme = [\"http\", \"https\", \"ftp\", \"app\"]\nallow = true\n")
    let allowed = try WorkplaceRules(
      administrator: """
        [route.all]
        scheme = ["http", "https", "ftp", "app"]
        deny = "no"
        final = true
        [route.bank]
        \(match)
        allow = true
        final = true
        wins_over = "all"
        """)
    let asked = try WorkplaceRules(user: "[route.bank]\n\(match)\nask = true\nremember = \"host\"\n")
    let yes = Grant(WorkplaceRules.scope(of: "bank", host: "bank.example"), .yes, assurance: .unknown)
    // The URLs as they are delivered.
    let urls = Self.urls(seed: 29).compactMap { try? CorrectedURL($0).url }.filter {
      ["http", "https", "ftp", "app"].contains($0.scheme)
    }.map(\.text)
    var (holes, reached, opened) = ([String](), 0, 0)
    for (text, hosts) in zip(urls, try await hosts(urls)) {
      let isBank = hosts.contains("bank.example")
      reached += isBank ? 1 : 0
      if isBank, denied.outcome(text) == .opened { holes.append("\(text) is not denied: \(hosts)") }
      guard hosts.contains(where: { $0 != "bank.example" && !Self.isMapped($0) }) else { continue }
      if allowed.outcome(text) == .opened { holes.append("\(text) is allowed: \(hosts)") }
      let isGranted = asked.outcome(text, grants: [yes]) == .opened && asked.outcome(text) == .asked
      if isGranted { holes.append("\(text) is granted: \(hosts)") }
      opened += denied.outcome(text) == .opened ? 1 : 0
    }
    print(
      "\(reached) of \(urls.count) URLs reach the host, \(opened) of the others open, \(holes.count) holes")
    #expect(holes.isEmpty, "\(holes.prefix(20))")
    #expect(reached > urls.count / 20 && opened > urls.count / 20)
  }

  /// Returns whether a host is `bank.example` once it is mapped; these readers map no host, and resolvers do.
  private static func isMapped(_ host: String) -> Bool {
    (try? NormalizedURL(URLString("https://\(host)/")))?.url.host == "bank.example"
  }

  /// Decides mutated URLs of the schemes that the rules name, and expects that none satisfies `isHole`.
  private func attack(
    _ rules: WorkplaceRules, grants: [Grant], seed: UInt64,
    isHole: (_ isBank: Bool, WorkplaceRules.Outcome) -> Bool
  ) async throws {
    let urls = Self.urls(seed: seed)
    var (holes, banks) = ([String](), 0)
    var outcomes: [WorkplaceRules.Outcome: Int] = [:]
    for (text, reading) in zip(urls, try await read(urls)) {
      // For other schemes, links without a host are outside of these rules.
      guard let reading,
        ["http", "https", "ftp"].contains(reading.scheme) || reading.scheme == "app" && !reading.host.isEmpty
      else { continue }
      let isBank = reading.host == "bank.example"
      banks += isBank ? 1 : 0
      let outcome = rules.outcome(text, grants: grants)
      outcomes[outcome, default: 0] += isBank ? 1 : 0
      if isHole(isBank, outcome) { holes.append("\(text): \(outcome)") }
    }
    print("\(banks) spellings of the host of \(urls.count) URLs: \(outcomes), \(holes.count) holes")
    #expect(holes.isEmpty, "\(holes.prefix(20))")
    #expect(banks > urls.count / 20)
  }
}
