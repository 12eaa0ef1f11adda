import BrokerCore
import Freedesktop
import RouteTables
import Systemd
import Testing

@testable import BrokerService

@Suite struct `A question of zenity` {
  private func text(_ choices: [String]) throws -> QuestionText {
    let question = Question(
      .route("r"), about: try URLString("x:-a<b"), from: .unknown,
      choices: choices.compactMap { ApplicationID($0) })
    return QuestionText(question, opener: nil) { _ in "--a\\n" }
  }

  @Test func `has nothing in it that is an option, an escape or markup`() throws {
    let whether = ZenityQuestion.arguments(try text([]), patience: .seconds(120))
    #expect(whether.prefix(2) == ["--question", "--no-markup"] && whether.contains("--timeout=120"))
    #expect(whether.allSatisfy { $0.hasPrefix("--") })
    let which = ZenityQuestion.arguments(try text(["org.a", "org.b"]), patience: .seconds(120))
    #expect(which.first == "--list" && !which.contains { $0.contains("<") || $0.contains("\\n") }, "\(which)")
  }

  @Test func `is answered by its exit status and its output`() throws {
    let (whether, which) = (try text([]).options, try text(["org.a", "org.b"]).options)
    #expect(ZenityQuestion.end(.exited(0), output: "", whether) == .answered(.yes))
    #expect(ZenityQuestion.end(.exited(1), output: "", whether) == .closed)
    #expect(ZenityQuestion.end(.exited(5), output: "", whether) == .late)
    #expect(ZenityQuestion.end(.exited(127), output: "", whether) == .impossible)
    #expect(ZenityQuestion.end(.signalled(9), output: "", whether) == .impossible)
    #expect(ZenityQuestion.end(.exited(0), output: "1\n", which) == .answered(which[1].answer))
    for output in ["", "2\n", "-1", "x"] {
      #expect(ZenityQuestion.end(.exited(0), output: output, which) == .closed)
    }
  }
}
