// SPDX-License-Identifier: Apache-2.0
import Foundation
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// Files of another machine of which a route says by which path this desktop has them.
@Suite struct `A file that a machine shares` {
  private let directory: TemporaryDirectory
  private var shared: String { "\(directory.path)/shared" }

  private static func machine(_ name: String = "container:work") throws -> SourceApplication {
    .remote(try #require(RemoteMachine(name)))
  }

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["shared/private/b.txt", "shared/a.txt", "secret.txt"] {
      let file = URL(filePath: "\(directory.path)/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("text".utf8).write(to: file)
    }
  }

  /// Rules whose first route maps `/src` of the machine.
  private func rules(
    _ more: String = "", sourceLine: String = #"source = { remote = "container:work" }"#,
    allowing: Bool = true
  ) throws -> WorkplaceRules {
    let allow = """
      [route.all]
      scheme = "file"
      source = { remote = ["container:work", "container:other"] }
      allow = true
      """
    return try WorkplaceRules(
      user: """
        [route.src]
        match = "file:///src/{path...}"
        \(sourceLine)
        rewrite = "file://\(shared)/{path}"
        \(allowing ? allow : "")
        \(more)
        """)
  }

  @Test(arguments: [
    "file:///src/a.txt", "file:/src/./a.txt", "file:///src/x/../a.txt", "file://localhost/src//a.txt",
    "file:///src/%61.txt", "file:///x/..%2Fsrc%2Fa.txt",
  ])
  func `is opened by its path here, however the link is written`(link: String) throws {
    let decision = try #require(try rules().decision(link, from: Self.machine()))
    #expect(decision.verdict.opens, "\(decision)")
    #expect(decision.url.text == "file://\(shared)/a.txt")
  }

  @Test(arguments: [
    "file:///src/../secret.txt", "file:///src/..%2Fsecret.txt", "file:///src/%2e%2e/secret.txt",
    "file:///src/%2E%2e%2fsecret.txt", "file:///src/x/..%2f..%2f..%2f..%2fetc/passwd", "file:///etc/passwd",
    "file://host/src/a.txt",
  ])
  func `is no way to files outside of what the route names`(link: String) throws {
    let rules = try rules()
    #expect(try rules.outcome(link, from: Self.machine()) == .denied)
    // Also not by the path here.
    for path in ["a.txt", "../secret.txt"] {
      #expect(try rules.outcome("file://\(shared)/\(path)", from: Self.machine()) == .denied)
    }
  }

  @Test func `is for the machines alone that the route names`() throws {
    #expect(try rules().outcome("file:///src/a.txt", from: Self.machine("container:other")) == .denied)
    // Without the condition, the route is for links of this desktop.
    let unnamed = try rules(sourceLine: "")
    let refused = try #require(try unnamed.decision("file:///src/a.txt", from: Self.machine()))
    #expect(!refused.verdict.opens)
    #expect(
      refused.explanation.contains { "\($0)".contains("names the machine in source.remote") }, "\(refused)")
    #expect(unnamed.outcome("file:///src/a.txt") == .opened)
    #expect(unnamed.outcome("file:///src/a.txt", from: .unseen) == .denied)
  }

  @Test func `is denied by a rule for its path here`() throws {
    let rules = try rules(
      """
      [route.private]
      match = "file://\(shared)/private/{path...}"
      deny = "private"
      """)
    #expect(try rules.outcome("file:///src/private/b.txt", from: Self.machine()) == .denied)
    #expect(try rules.outcome("file:///src/a.txt", from: Self.machine()) == .opened)
  }

  @Test func `is asked about each time, because a stored answer would be for all files`() throws {
    let verdict = try rules(allowing: false).verdict("file:///src/a.txt", from: Self.machine())
    guard case .ask(let question)? = verdict else {
      Issue.record("\(String(describing: verdict))")
      return
    }
    #expect(question.scope == nil)
    #expect(question.remedy.contains("allow = true") && !question.remedy.contains("grants"))
    let text = QuestionText(question, opener: nil, title: { _ in nil })
    #expect(text.body.hasSuffix("\nYour answer applies only to this link."), "\(text.body)")
  }

  @Test func `may have the same path there`() throws {
    let rules = try WorkplaceRules(
      user: """
        [route.home]
        match = "file://\(shared)/{path...}"
        source = { remote = "container:work" }
        rewrite = "file://\(shared)/{path}"
        """)
    #expect(try rules.outcome("file://\(shared)/a.txt", from: Self.machine()) == .asked)
    for link in ["file://\(shared)/../secret.txt", "file:///etc/passwd"] {
      #expect(try rules.outcome(link, from: Self.machine()) == .denied)
    }
    #expect(try rules.outcome("file://\(shared)/a.txt", from: Self.machine("container:other")) == .denied)
  }

  @Test func `is not one whose link was none to a file`() throws {
    let rules = try rules(
      """
      [route.notes]
      match = "notes://src/{path...}"
      source = { remote = "container:work" }
      rewrite = "file://\(shared)/{path}"
      """)
    #expect(try rules.outcome("notes://src/a.txt", from: Self.machine()) == .denied)
  }
}
