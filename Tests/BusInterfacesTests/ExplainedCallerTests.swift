// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Testing

@Suite struct `The caller that Explain decides for` {
  private static func read(_ entries: [String: Variant]) throws(MessageError) -> ExplainedCaller? {
    var entries = entries
    let caller = try ExplainedCaller.extract(from: &entries)
    #expect(entries.isEmpty)
    return caller
  }

  @Test func `is read as it is written`() throws {
    #expect(try Self.read([:]) == nil)
    for caller in [
      try ExplainedCaller(application: nil), try ExplainedCaller(application: nil, isSandboxed: true),
      try ExplainedCaller(application: "org.a"), try ExplainedCaller(application: "org.a", assurance: .unit),
      try ExplainedCaller(application: "org.a", assurance: .unit, isSandboxed: true),
      try ExplainedCaller(application: "org.a", assurance: .sandbox),
      try ExplainedCaller(application: "org.a", assurance: .unit, installedBy: .system),
      try ExplainedCaller(application: "org.a", installedBy: .user),
    ] {
      #expect(try Self.read(caller.entries) == caller)
    }
    let sandbox = try #require(
      try Self.read(["as-application": .variant("org.a"), "as-assurance": "sandbox"]))
    #expect(sandbox.isSandboxed && sandbox.assurance == .sandbox)
    let claimed = try #require(try Self.read(["as-application": "org.a"]))
    #expect(!claimed.isSandboxed && claimed.assurance == .claimed)
    let unseen = try #require(try Self.read(["as-sandboxed": true]))
    #expect(unseen.isSandboxed && unseen.assurance == .unknown && unseen.application == nil)
  }

  @Test(
    arguments: [
      (["as-application": .int64(1)], "as-application: this is of type x, but it must be a string (s)"),
      (["as-sandboxed": "yes"], "as-sandboxed: this is of type s, but it must be a boolean (b)"),
      (
        ["as-assurance": "certain"],
        "as-assurance: the value must be one of: unknown, claimed, executable, unit, sandbox"
      ),
      (["as-assurance": "unit"], "as-assurance: the value must be “unknown” if as-application is absent"),
      (
        ["as-application": "org.a", "as-assurance": "unknown"],
        "as-assurance: the value must be claimed, executable, unit or sandbox if as-application is given"
      ),
      (
        ["as-application": "org.a", "as-assurance": "sandbox", "as-sandboxed": false],
        "as-sandboxed: the value must be true if as-assurance is “sandbox”"
      ),
      (
        ["as-application": "org.a", "as-installed": "root"],
        "as-installed: the value must be one of: system, user"
      ),
      (["as-installed": "user"], "as-installed: the value must be omitted unless as-application is given"),
      (
        ["as-application": "org.a", "as-installed": "system"],
        "as-installed: the value must be “user” if as-assurance is “claimed”"
      ),
    ] as [([String: Variant], String)])
  func `that does not exist is refused by name`(entries: [String: Variant], message: String) {
    #expect {
      _ = try Self.read(entries)
    } throws: {
      "\($0)" == message
    }
  }
}
