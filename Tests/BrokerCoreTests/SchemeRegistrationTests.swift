// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// The decision whether the user is asked about a scheme that a program on another machine wants to register.
@Suite struct `A registration of another machine` {
  private func registration(_ scheme: String, on name: String = "build") throws -> SchemeRegistration {
    let machine = try #require(RemoteMachine(name))
    return try #require(SchemeRegistration(of: scheme, for: machine))
  }

  private func refusal(
    _ scheme: String, _ rules: [(PolicyLayer, String, RouteAction, [RouteCondition])] = [],
    on name: String = "build", local: [String] = []
  ) throws -> String? {
    let (broker, desktop) = try `The policy`.broker(rules)
    return try withExtendedLifetime(desktop) {
      if !local.isEmpty {
        try desktop.installDesktopEntry("org.example.Local", exec: "viewer %u", schemes: local)
        try desktop.setDefaults(Dictionary(uniqueKeysWithValues: local.map { ($0, ["org.example.Local"]) }))
      }
      // The files of the desktop are read when the resolver is created.
      let programs = ProgramSearch(path: desktop.environment["PATH"])
      let resolver = ApplicationResolver(
        directories: BaseDirectories(environment: desktop.environment), programs: programs)
      return Broker(layers: broker.layers, resolver: resolver, programs: programs)
        .refusal(of: try registration(scheme, on: name))?.description
    }
  }

  @Test func `is for a reverse domain name that no application here may have or has`() throws {
    for scheme in ["com.example.tool", "COM.Example.tool-1", "a.b"] { #expect(try refusal(scheme) == nil) }
    for scheme in ["tool", "https", "file", "data", "note", "com.", "a..b"] {
      #expect(try refusal(scheme)?.contains("reverse domain name") == true, "\(scheme)")
    }
    #expect(try refusal("vnd.ms.radio")?.contains("reserved") == true)
    #expect(try refusal("com.example.tool", local: ["com.example.other"]) == nil)
    #expect(
      try refusal("com.example.TOOL", local: ["com.example.tool"])
        == "build may not register com.example.tool: org.example.Local opens these links here")
  }

  @Test func `is decided by routes as links of the machine`() throws {
    func remote(_ names: String...) throws -> [RouteCondition] {
      [try RouteCondition(RouteCondition.Name.remote, anyOf: names)]
    }
    let deny = RouteAction.deny(reason: "no")
    for (pattern, isDenied) in [
      ("com.example.tool:/{x...?}", true), ("com.example.tool:{x...?}", true),
      ("com.example.other:/{x...?}", false),
    ] {
      let rules = [(PolicyLayer.administrator, pattern, deny, try remote("build"))]
      #expect((try refusal("com.example.tool", rules) != nil) == isDenied, "\(pattern)")
      #expect(try refusal("com.example.tool", rules, on: "other") == nil)
    }
    let open = RouteAction.open(application: "org.example.Viewer")
    #expect(
      try refusal("com.example.tool", [(.user, "com.example.tool:/{x...?}", open, [])])
        == "build may not register com.example.tool: a route opens these links here")
    // The user is asked also if a route allows links of the machine.
    #expect(
      try refusal("com.example.tool", [(.user, "com.example.tool:/{x...?}", .allow, try remote("build"))])
        == nil)
  }

  @Test func `has a bus name of its own for each scheme and machine`() throws {
    let one = try registration("com.example.tool")
    #expect(one.busName.hasPrefix("org.usher.Remote.com_2eexample_2etool.m"))
    #expect(one.objectPath == "/" + one.busName.replacing(".", with: "/"))
    let longest = try registration(
      String(repeating: "a.", count: 31) + "aa", on: String(repeating: "m", count: 255))
    #expect(longest.entry.id.busName != nil && longest.entry.id.desktopFileName.utf8.count <= 255)
    let names = [
      one, try registration("com.example-tool"), try registration("com.example+tool"), longest,
      try registration("com.example.tool", on: "other"), try registration("com.example.tool.x"),
    ].map(\.busName)
    #expect(Set(names).count == names.count)
    #expect(one.covers("COM.example.tool:/x") && !one.covers("com.example.tool.x:/x") && !one.covers("x"))
    #expect(SchemeRegistration(of: "com.example:x", for: one.machine) == nil)
  }

  @Test func `names machine and scheme in the question, and is not stored`() throws {
    let question = try registration("com.example.tool")
    let text = QuestionText(question)
    #expect(text.summary == "Send com.example.tool: links to build?")
    #expect(text.body.hasPrefix("A program on the machine build wants to open com.example.tool: links."))
    #expect(text.options.map(\.label) == ["Allow", "Refuse"])
    let container = QuestionText(try registration("com.example.tool", on: "container:work"))
    #expect(container.body.hasPrefix("A program in the container work wants to open"))
    #expect(UserQuestion.registration(question).scope == nil)
    let other = UserQuestion.registration(try registration("com.example.tool", on: "other"))
    #expect(UserQuestion.registration(question).identity != other.identity)
  }

  @Test func `is delivered to its relay alone, and after applications of this desktop`() throws {
    let desktop = try ThrowAwayDesktop()
    try desktop.installScript("usher", "#!/bin/sh\n")
    let directories = BaseDirectories(environment: desktop.environment)
    let programs = ProgramSearch(path: desktop.environment["PATH"])
    let question = try registration("com.example.tool")
    let desk = Registration(directories: directories, programs: programs)
    try desk.edits(adding: question.entry, running: "\(desktop.bin)/usher").apply()
    func decide() throws -> Decision {
      let resolver = ApplicationResolver(directories: directories, programs: programs)
      let url = try URLString("com.example.tool:/x")
      return Broker(layers: [], resolver: resolver, programs: programs).decide(
        url, of: OpenRequest(urls: [url]))
    }
    guard case .deliver(let target) = try decide().verdict else {
      Issue.record("\(try decide())")
      return
    }
    #expect(target.machine?.name == "build" && target.takesEnvelopes)
    #expect(target.approaches(isRunning: true) == [.signal] && target.approaches(isRunning: false).isEmpty)
    #expect(target.refusalWithoutMachine?.contains("build") == true)
    #expect("\(try decide().verdict)".contains("opens it on the machine build"))
    // The bus name of another machine would receive nothing.
    #expect(desk.remoteEntries == [question.entry])
    try desktop.installDesktopEntry("org.example.Local", exec: "usher %u", schemes: ["com.example.tool"])
    try desktop.write(
      "[MIME Cache]\nx-scheme-handler/com.example.tool=\(question.entry.id.desktopFileName);org.example.Local.desktop;\n",
      to: "\(directories.userApplicationDirectory)/mimeinfo.cache")
    guard case .deliver(let local) = try decide().verdict else {
      Issue.record("\(try decide())")
      return
    }
    #expect(local.id.rawValue == "org.example.Local" && local.machine == nil)
    try desk.edits(removing: question.entry).apply()
    #expect(desk.remoteEntries.isEmpty)
  }
}
