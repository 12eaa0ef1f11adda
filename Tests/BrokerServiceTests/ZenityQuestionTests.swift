// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import RouteTables
import Systemd
import Testing

@testable import BrokerService

@Suite struct `A question of zenity` {
  private func text(_ choices: [String]) throws -> QuestionText {
    let question = Question(
      .route(PromptingRoute(rank: .user, name: "r")), about: try URLString("x:-a<b"), from: .unknown,
      choices: choices.compactMap { ApplicationID($0) })
    return QuestionText(question, opener: nil) { _ in "--a\\n" }
  }

  @Test func `contains no option, escape or markup`() throws {
    let whether = ZenityQuestion.arguments(try text([]), timeout: .seconds(120))
    #expect(whether.prefix(2) == ["--question", "--no-markup"] && whether.contains("--timeout=120"))
    #expect(whether.allSatisfy { $0.hasPrefix("--") })
    let which = ZenityQuestion.arguments(try text(["org.a", "org.b"]), timeout: .seconds(120))
    #expect(which.suffix(4).allSatisfy { !$0.hasPrefix("-") }, "\(which)")
    #expect(which.first == "--list" && !which.contains { $0.contains("<") || $0.contains("\\n") }, "\(which)")
  }

  @Test func `is answered by its exit status and its output`() throws {
    let (whether, which) = (try text([]).options, try text(["org.a", "org.b"]).options)
    func end(_ ending: ZenityQuestion.Ending, _ output: String = "") -> PromptResult? {
      ZenityQuestion.end(.exited(ending.rawValue), output: output, whether)
    }
    #expect(end(.chosen) == .answered(.yes))
    #expect(end(.refused) == .answered(.no))
    #expect(end(.closed) == .closed && end(.late) == .late)
    // The user was not asked: there is no display, no such program, or another program with that name.
    for status in [ExitStatus.exited(0), .exited(1), .exited(127), .signalled(9)] {
      #expect(ZenityQuestion.end(status, output: "", whether) == .impossible)
    }
    let chosen = ExitStatus.exited(ZenityQuestion.Ending.chosen.rawValue)
    #expect(ZenityQuestion.end(chosen, output: "noise\n1\n", which) == .answered(which[1].answer))
    for output in ["2\n", "-1"] {
      #expect(ZenityQuestion.end(chosen, output: output, which) == .closed)
    }
    // No row was selected, so that the window appears again.
    for output in ["", "\n", "x"] { #expect(ZenityQuestion.end(chosen, output: output, which) == nil) }
  }

  @Test func `shows a row for each choice, up to the height of a small screen`() throws {
    func height(_ count: Int) throws -> Int {
      let choices = (0..<count).map { "org.a\($0)" }
      let arguments = ZenityQuestion.arguments(try text(choices), timeout: .seconds(120))
      let height = arguments.compactMap { $0.hasPrefix("--height=") ? Int($0.dropFirst(9)) : nil }.first
      return try #require(height)
    }
    #expect(try height(6) - height(4) >= 2 * 23)
    #expect(try height(200) < 600)
  }

  @Test func `prints the number of a row, and searches its text`() throws {
    let arguments = ZenityQuestion.arguments(try text(["org.a", "org.b"]), timeout: .seconds(120))
    let columns = arguments.filter { $0.hasPrefix("--column=") }
    #expect(columns == ["--column=Application", "--column=number"])
    #expect(arguments.contains("--hide-column=2") && arguments.contains("--print-column=2"))
    #expect(arguments.suffix(4).enumerated().allSatisfy { $0 % 2 == 0 || $1 == "\($0 / 2)" }, "\(arguments)")
  }

  @Test func `breaks long lines, and keeps a host in one piece`() {
    let host = "…" + String(repeating: "a", count: 60)
    let url = "https://\(host)/\(String(repeating: "b", count: 40))…"
    let lines = ZenityQuestion.wrapped(
      "Title\n\nAn unknown program wants to open \(url) with which application?")
    #expect(lines.prefix(2) == ["Title", ""])
    #expect(lines.allSatisfy { $0.count <= 72 } && lines.contains("https://\(host)/"), "\(lines)")
    #expect(lines.joined().hasSuffix("with which application?"))
    let solid = String(repeating: "x", count: 200)
    #expect(ZenityQuestion.wrapped(solid).joined() == solid)
    #expect(ZenityQuestion.wrapped("").joined().isEmpty)
  }

  /// A line may end between a slash and a combining mark, which are one character.
  @Test func `A long URL loses nothing when it is broken`() {
    let url =
      "https://h.example/" + String(repeating: "a", count: 50) + "/\u{301}"
      + String(repeating: "b", count: 90)
    let lines = ZenityQuestion.wrapped(url)
    #expect(lines.count > 1 && Array(lines.joined().utf8) == Array(url.utf8))
  }
}
