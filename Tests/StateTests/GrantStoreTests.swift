// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import State

@Suite struct `Grants` {
  private func grant(
    _ source: String?, _ scheme: String?, _ answer: String = "yes", assurance: String = "sandbox",
    route: String? = nil, layer: String? = nil, isSandboxed: Bool = false, expires: Int64? = 1_000
  ) -> GrantEntry {
    GrantEntry(
      scope: .init(source: source, scheme: scheme, route: route, layer: layer, isSandboxed: isSandboxed),
      assurance: assurance, answer: answer,
      time: 7, expires: expires)
  }

  private func store(_ directory: TemporaryDirectory) throws -> GrantStore {
    try GrantStore(at: "\(directory.path)/usher/state.sqlite")
  }

  @Test func `survive a restart, newest first`() throws {
    let directory = try TemporaryDirectory()
    let (one, other) = (grant("org.a", "tel"), grant("org.b", "tel", "org.example.Phone", expires: nil))
    try {
      let store = try store(directory)
      try store.add(one, now: 7)
      try store.add(other, now: 7)
    }()
    #expect(try store(directory).grants(now: 8) == [other, one])
  }

  @Test func `are of their scope alone`() throws {
    let directory = try TemporaryDirectory()
    let store = try store(directory)
    for grant in [grant("org.a", "tel"), grant("org.a", nil), grant("org.a", "tel", route: "calls")] {
      try store.add(grant, now: 7)
    }
    #expect(try store.grants(of: .init(source: "org.a", scheme: "tel"), now: 8) == [grant("org.a", "tel")])
    #expect(try store.grants(of: .init(source: "org.a"), now: 8) == [grant("org.a", nil)])
    #expect(try store.grants(of: .init(scheme: "tel"), now: 8).isEmpty)
    #expect(try store.grants(of: .init(source: "' OR '1'='1"), now: 8).isEmpty)
  }

  @Test func `have each part of their scope in the column with its name`() throws {
    let directory = try TemporaryDirectory()
    let store = try store(directory)
    let entry = GrantEntry(
      scope: .init(
        source: "a source", container: "a container", origin: "an origin", scheme: "a scheme", host: "a host",
        route: "a route", layer: "a layer", permission: "a permission", remote: "a machine", isSandboxed: true
      ),
      assurance: "an assurance", answer: "an answer", time: 7, expires: 1_000)
    try store.add(entry, now: 7)
    var row: [String] = []
    try store.database.query(
      """
      SELECT source, container, origin, scheme, host, route, layer, permission, remote, sandboxed, assurance, answer, time, expires
      FROM grants
      """
    ) { columns in row = (0..<14).map { columns.text($0) } }
    #expect(
      row == [
        "a source", "a container", "an origin", "a scheme", "a host", "a route", "a layer", "a permission",
        "a machine", "1", "an assurance", "an answer", "7", "1000",
      ])
    #expect(try store.grants(now: 8) == [entry] && store.grants(of: entry.scope, now: 8) == [entry])
  }

  @Test func `are of the rule that asked, its layer, and callers in a sandbox or outside`() throws {
    let directory = try TemporaryDirectory()
    let store = try store(directory)
    let grants = [
      grant("org.a", "tel"), grant("org.a", "tel", isSandboxed: true),
      grant("org.a", "tel", route: "corp/calls", layer: "final"),
      grant("org.a", "tel", route: "corp/calls", layer: "user"),
      grant("org.a", "tel", route: "corp/calls", layer: "user", isSandboxed: true),
    ]
    for grant in grants { try store.add(grant, now: 7) }
    for grant in grants { #expect(try store.grants(of: grant.scope, now: 8) == [grant]) }
    #expect(try store.revoke(.init(route: "alls"), now: 8) == 0)
    #expect(try store.revoke(.init(route: "calls"), now: 8) == 3)
    #expect(try store.grants(now: 8) == [grants[1], grants[0]])
  }

  @Test func `are of their container, and of none`() throws {
    let directory = try TemporaryDirectory()
    let store = try store(directory)
    func scope(_ container: String?) -> GrantEntry.Scope {
      .init(container: container, scheme: "tel", isSandboxed: true)
    }
    let grants = ["libpod-1.scope", "libpod-2.scope", nil].map {
      GrantEntry(scope: scope($0), assurance: "unknown", answer: "yes", time: 7, expires: nil)
    }
    for grant in grants { try store.add(grant, now: 7) }
    for grant in grants { #expect(try store.grants(of: grant.scope, now: 8) == [grant]) }
    #expect(try store.revoke(.init(container: "libpod-2.scope"), now: 8) == 1)
    #expect(try store.grants(now: 8) == [grants[2], grants[0]])
  }

  @Test func `from before containers are kept`() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/usher/state.sqlite"
    try {
      let old = try Database(at: path, .power, isShared: true, Array(Migration.ofLastingState.prefix(4)))
      try old.run(
        """
        INSERT INTO grants
          (source, origin, scheme, host, route, layer, sandboxed, assurance, answer, time, expires)
        VALUES ('org.a', '', 'tel', 'h', 'corp/calls', 'final', 1, 'unit', 'no', 7, 1000)
        """)
    }()
    #expect(
      try GrantStore(at: path).grants(now: 8) == [
        GrantEntry(
          scope: .init(
            source: "org.a", scheme: "tel", host: "h", route: "corp/calls", layer: "final", isSandboxed: true),
          assurance: "unit", answer: "no", time: 7, expires: 1_000)
      ])
  }

  @Test func `from before permissions are kept`() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/usher/state.sqlite"
    try {
      let old = try Database(at: path, .power, isShared: true, Array(Migration.ofLastingState.prefix(7)))
      for (scheme, answer) in [("tel", "no"), ("sms", "org.example.Phone")] {
        try old.run(
          """
          INSERT INTO grants
            (source, origin, scheme, host, route, container, layer, sandboxed, assurance, answer, time, expires)
          VALUES ('', '', ?, 'h', 'corp/calls', 'libpod-1.scope', 'final', 1, 'unknown', ?, 7, 1000)
          """, [.text(scheme), .text(answer)])
      }
    }()
    let scope = GrantEntry.Scope(
      container: "libpod-1.scope", host: "h", route: "corp/calls", layer: "final", isSandboxed: true)
    let store = try GrantStore(at: path)
    let kept = [("sms", "org.example.Phone"), ("tel", "no")].map { scheme, answer in
      var scope = scope
      scope.scheme = scheme
      return GrantEntry(scope: scope, assurance: "unknown", answer: answer, time: 7, expires: 1_000)
    }
    #expect(try store.grants(now: 8) == kept)
    let permission = GrantEntry(
      scope: .init(source: "org.a", permission: "notifications"), assurance: "unknown", answer: "yes",
      time: 8,
      expires: nil)
    try store.add(permission, now: 8)
    #expect(try store.grants(now: 8) == [permission] + kept)
  }

  @Test func `of a permission are apart from those about links`() throws {
    let directory = try TemporaryDirectory()
    let store = try store(directory)
    let grants = [nil, "notifications", "location"].map {
      GrantEntry(
        scope: .init(source: "org.a", permission: $0), assurance: "unknown", answer: "yes", time: 7,
        expires: nil)
    }
    for grant in grants { try store.add(grant, now: 7) }
    for grant in grants { #expect(try store.grants(of: grant.scope, now: .max) == [grant]) }
    var refusal = grants[1]
    refusal.answer = "no"
    try store.add(refusal, now: 8)
    #expect(try store.grants(of: refusal.scope, now: 8) == [refusal])
    #expect(try store.revoke(.init(permission: "bluetooth"), now: 8) == 0)
    #expect(try store.revoke(.init(source: "org.b", permission: "notifications"), now: 8) == 0)
    #expect(try store.revoke(.init(source: "org.a", permission: "notifications"), now: 8) == 1)
    #expect(try store.grants(now: 8) == [grants[2], grants[0]])
  }

  @Test func `of earlier versions are kept if they can only have answered a question of Usher's own`() throws
  {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/usher/state.sqlite"
    try {
      let old = try Database(at: path, .power, isShared: true, Array(Migration.ofLastingState.prefix(3)))
      for (source, origin, scheme, route, assurance, answer) in [
        ("org.a", "", "tel", "", "sandbox", "yes"), ("org.b", "", "tel", "", "executable", "yes"),
        ("org.b", "", "sms", "", "executable", "no"), ("", "https://a.example", "tel", "", "unknown", "yes"),
        ("", "", "tel", "", "unknown", "yes"), ("org.a", "", "tel", "calls", "sandbox", "no"),
        ("org.a", "", "", "", "sandbox", "yes"),
      ] {
        try old.run(
          """
          INSERT INTO grants (source, origin, scheme, host, route, assurance, answer, time, expires)
          VALUES (?, ?, ?, '', ?, ?, ?, 1, NULL)
          """, [source, origin, scheme, route, assurance, answer].map { .text($0) })
      }
    }()
    let kept = try GrantStore(at: path).grants(now: 8).map(\.scope)
    #expect(
      kept == [
        .init(origin: "https://a.example", scheme: "tel"),
        .init(source: "org.b", scheme: "sms", isSandboxed: true),
        .init(source: "org.a", scheme: "tel", isSandboxed: true),
      ])
  }

  @Test func `replace earlier answers with the same assurance`() throws {
    let directory = try TemporaryDirectory()
    let store = try store(directory)
    try store.add(grant("org.a", "tel"), now: 7)
    try store.add(grant("org.a", "tel", "no"), now: 7)
    try store.add(grant("org.a", "tel", "yes", assurance: "claimed"), now: 7)
    let grants = try store.grants(of: .init(source: "org.a", scheme: "tel"), now: 8)
    #expect(grants.map(\.answer) == ["yes", "no"])
    #expect(grants.map(\.assurance) == ["claimed", "sandbox"])
  }

  @Test func `replace earlier answers with further assurances, of their scope alone`() throws {
    let directory = try TemporaryDirectory()
    let store = try store(directory)
    for assurance in ["claimed", "unit", "sandbox"] {
      try store.add(grant("org.a", "tel", assurance: assurance), now: 7)
    }
    let others = [grant("org.a", "tel", isSandboxed: true), grant("org.a", nil), grant("org.b", "tel")]
    for grant in others { try store.add(grant, now: 7) }
    let refusal = grant("org.a", "tel", "no", assurance: "executable")
    try store.add(refusal, replacing: ["executable", "unit", "sandbox"], now: 7)
    #expect(
      try store.grants(now: 8) == [refusal] + others.reversed() + [
        grant("org.a", "tel", assurance: "claimed")
      ])
    let (refused, last) = (
      grant("org.b", "tel", "no", assurance: "claimed"), grant("org.b", "tel", "no", assurance: "unit")
    )
    try store.add(refused, now: 7)
    try store.add(grant("org.b", "tel", assurance: "executable"), now: 7)
    // All consent is removed, and no other refusal.
    try store.add(last, revokesConsent: true, now: 7)
    #expect(try store.grants(of: last.scope, now: 8) == [last, refused])
  }

  @Test func `of a clock that was ahead are not valid`() throws {
    let directory = try TemporaryDirectory()
    let store = try store(directory)
    let day: Int64 = 86_400_000_000
    var ahead = grant("org.a", "tel", expires: nil)
    ahead.time = 3 * day
    try store.add(ahead, now: 3 * day)
    #expect(
      try store.grants(now: 3 * day) == [ahead] && store.grants(of: ahead.scope, now: 2 * day) == [ahead])
    #expect(try store.grants(now: 2 * day - 1).isEmpty)
    #expect(try store.grants(of: ahead.scope, now: 2 * day - 1).isEmpty)
  }

  @Test func `expire`() throws {
    let directory = try TemporaryDirectory()
    let store = try store(directory)
    try store.add(grant("org.a", "tel", expires: 10), now: 7)
    #expect(try store.grants(now: 9).count == 1)
    #expect(try store.grants(now: 10).isEmpty)
    #expect(try store.grants(of: .init(source: "org.a", scheme: "tel"), now: 10).isEmpty)
    #expect(try store.revoke(.init(), now: 10) == 0)
  }

  @Test func `are revoked by the parts of their scope`() throws {
    let directory = try TemporaryDirectory()
    let store = try store(directory)
    for grant in [grant("org.a", "tel"), grant("org.a", "sms"), grant("org.b", "tel")] {
      try store.add(grant, now: 7)
    }
    #expect(try store.revoke(.init(source: "org.a", scheme: "tel"), now: 8) == 1)
    #expect(try store.revoke(.init(source: "org.c"), now: 8) == 0)
    #expect(try store.revoke(.init(scheme: "tel"), now: 8) == 1)
    #expect(try store.grants(now: 8) == [grant("org.a", "sms")])
    #expect(try store.revoke(.init(), now: 8) == 1)
  }

  @Test func `are revoked by each part alone`() throws {
    let directory = try TemporaryDirectory()
    let store = try store(directory)
    let scopes: [GrantEntry.Scope] = [
      .init(source: "a"), .init(container: "a"), .init(origin: "a"), .init(scheme: "a"), .init(host: "a"),
      .init(route: "a"), .init(layer: "a"), .init(permission: "a"), .init(remote: "a"),
    ]
    for scope in scopes {
      try store.add(
        GrantEntry(scope: scope, assurance: "unknown", answer: "yes", time: 7, expires: nil), now: 7)
    }
    for (index, scope) in scopes.enumerated() {
      #expect(try store.revoke(scope, now: 8) == 1)
      #expect(try store.grants(now: 8).map(\.scope) == scopes[(index + 1)...].reversed())
    }
  }

  @Test func `are bounded`() throws {
    let directory = try TemporaryDirectory()
    let store = try store(directory)
    try store.database.transaction { () throws(StateError) in
      for number in 0..<GrantStore.capacity + 5 { try store.add(grant("org.a\(number)", "tel"), now: 7) }
    }
    let grants = try store.grants(now: 8)
    #expect(grants.count == GrantStore.capacity)
    #expect(grants.last == grant("org.a5", "tel"))
  }

  @Test func `are added to the file of an existing history`() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/usher/state.sqlite"
    let entry = HistoryEntry(
      time: 1, request: "r", urls: "notes:…", source: nil, assurance: "unknown", application: nil,
      delivery: nil, outcome: "handled", error: nil, duration: 7)
    try {
      // A file of the previous version.
      let old = try Database(at: path, .power, isShared: true, Array(Migration.ofLastingState.prefix(1)))
      try old.run(
        """
        INSERT INTO history (time, request, urls, assurance, outcome, duration)
        VALUES (1, 'r', 'notes:…', 'unknown', 'handled', 7)
        """)
    }()
    let (grants, history) = (try GrantStore(at: path), try HistoryStore(at: path))
    try grants.add(grant("org.a", "tel"), now: 7)
    try history.add([entry])
    #expect(try history.entries(limit: 10) == [entry, entry])
    #expect(try grants.grants(now: 8).count == 1)
  }

  @Test func `a damaged file is set aside`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(String(repeating: "no database ", count: 100), to: "state.sqlite")
    let (store, aside) = try GrantStore.open(at: path)
    #expect(aside?.contains("corrupt") == true)
    #expect(try store.grants(now: 1).isEmpty)
  }
}
