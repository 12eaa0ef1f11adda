// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import OpenSocket
import TestSupport
import Testing

@testable import UsherCommand

/// Comparisons of the fast path with ArgumentParser.
@Suite struct `A plain call of usher open` {
  private static let vocabulary = [
    "notes://note/7", "a file", "./-", "", "help", "open", "\u{FFFD}", "@file", "=", "--from-desktop",
    "--json",
    "--wait=accepted", "--wait=delivered", "--wait=handled", "--wait", "handled", "--wait=soon", "--wait=",
    "--timeout=1", "--jso", "--", "-", "-h", "--help", "--version", "--dry-run", "—json",
  ]

  /// Returns the result of the table of plain calls.
  private static func plain(_ words: [String]) -> OpenInvocation? {
    PlainCall(words).flatMap { OpenInvocation($0) }
  }

  /// Returns ArgumentParser's result; `nil` if it exits, or if the command is another one.
  private static func parsed(_ words: [String]) -> OpenInvocation? {
    (try? Usher.parseAsRoot(words) as? OpenCommand)?.call
  }

  /// Tests every line of one or two words after `open`, and some longer ones of accepted words.
  @Test func `is read as the parser reads it`() {
    var generator = SeededGenerator(seed: 7)
    let words = Self.vocabulary
    let read = words.filter { Self.plain(["open", "x:1", $0]) != nil }
    var lines = words.map { [$0] } + words.flatMap { first in words.map { [first, $0] } }
    for _ in 0..<60 { lines.append((0..<6).map { _ in read.randomElement(using: &generator) ?? "" }) }
    var count = 0
    for line in lines {
      guard let plain = Self.plain(["open"] + line) else { continue }
      #expect(plain == Self.parsed(["open"] + line), "\(line)")
      count += 1
    }
    #expect(count > 200)
  }

  @Test(arguments: [
    ["notes:1"], ["--from-desktop", "notes:1"], ["notes:1", "notes:2", "--json"], ["--wait=handled", "a b"],
  ])
  func `is every plain call of openers and users`(words: [String]) {
    #expect(Self.plain(["open"] + words) == Self.parsed(["open"] + words))
    #expect(Self.plain(["open"] + words) != nil)
  }

  @Test(arguments: [
    [], ["open"], ["opens", "x:1"], ["explain", "x:1"], ["--json", "open", "x:1"], ["open", "--json"],
    ["open", "--dry-run", "x:1"], ["open", "x:1", "--help"], ["open", "--", "x:1"], ["open", "-", "x:1"],
  ])
  func `is no other command line`(words: [String]) { #expect(Self.plain(words) == nil) }
}

/// Comparisons for the commands that list and explain, for which the parser would need a tenth of the time.
@Suite struct `A plain call of usher explain or handlers` {
  private static let vocabulary = [
    "notes://note/7", "a file", "", "help", "explain", "handlers", "@file", "=", "--skip-comparison",
    "--json",
    "--in-app", "--alon", "--",
    "-", "-h", "--help", "--version", "--origin=x", "--universal-links-only",
  ]

  private static func explain(_ words: [String]) -> ExplainInvocation? {
    PlainCall(words).flatMap { ExplainInvocation($0) }
  }

  private static func handlers(_ words: [String]) -> HandlersInvocation? {
    guard let call = PlainCall(words), call.command == .handlers else { return nil }
    return HandlersInvocation(json: call.has(.json))
  }

  @Test func `is read as the parser reads it`() throws {
    let words = Self.vocabulary
    let lines =
      words.map { [$0] } + words.flatMap { one in words.map { [one, $0] } } + [
        [], ["x:1", "--json", "--skip-comparison"], ["--skip-comparison", "x:1", "--json"],
        ["--json", "--json", "--json"],
      ]
    var (explained, listed) = (0, 0)
    for line in lines {
      if let plain = Self.explain(["explain"] + line) {
        #expect(plain == (try? Usher.parseAsRoot(["explain"] + line) as? ExplainCommand)?.call, "\(line)")
        explained += 1
      }
      if let plain = Self.handlers(["handlers"] + line) {
        let json = (try? Usher.parseAsRoot(["handlers"] + line) as? HandlersCommand)?.json
        #expect(plain.json == json, "\(line)")
        listed += 1
      }
    }
    #expect(explained > 30)
    #expect(listed == 4)
  }

  @Test(arguments: [
    [], ["explain"], ["explain", "--json"], ["explain", "x:1", "x:2"], ["explain", "--in-app", "x:1"],
    ["explains", "x:1"],
    ["handlers", "x"], ["handlers", "--help"], ["handlers", "--jso"], ["--json", "handlers"],
  ])
  func `is no other command line`(words: [String]) {
    #expect(Self.explain(words) == nil)
    #expect(Self.handlers(words) == nil)
  }
}

@Suite struct `The table of plain calls` {
  @Test func `has the values that the parser has`() {
    #expect(PlainCall.Option.wait.values == OpenOptions.Wait.allCases.map(\.rawValue))
  }

  /// The parser takes the names from the table; this finds an option of the table that no longer has a plain call.
  @Test(arguments: PlainCall.Command.allCases)
  func `names options that both read`(_ command: PlainCall.Command) throws {
    for option in command.options {
      let word = "--\(option.rawValue)" + (option.values.last.map { "=\($0)" } ?? "")
      let words = [command.rawValue, word] + (command == .handlers ? [] : ["x:1"])
      #expect(PlainCall(words) != nil, "\(words)")
      #expect(throws: Never.self) { _ = try Usher.parseAsRoot(words) }
    }
  }
}
