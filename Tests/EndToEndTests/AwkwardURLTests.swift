// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

@Suite struct `A link with unusual characters` {
  /// The parts after the scheme.
  static let rests = [
    ":%", ":%zz%", ":100%25", "://note/50%%", ":$HOME", ":${x}", ":$(id)", ":`id`", ":\"double\"",
    ":'single'",
    ":a;b", ":a&b&amp;c", ":a|b>c<d", ":*?[a]", ":~", ":{a,b}", ":#", ":?", ":", "://", ":///",
    ":/a/../b/./c//d",
    ":%u%U%f%i%c%k", ":--wait", "://user:pass@host:99/p?q#f", ":%C3%A9%e2%82%ac", ":é€\u{1F600}", ":e\u{301}",
    "://ünïcode/ß", ":%2e%2E%2Fx", ":\u{200B}\u{FEFF}", ":^!,@=+()-_.", ":%2F%25%41", ":$$", ":-x", ":@@u",
    ":a#b#c",
    ":日本語", "://x?a=1&a=2", ":C:\\Users\\x", "://host/a\\b?c\\d", ":a|b^c<d>`\"", ":%E9%FF",
  ]

  /// Compares the bytes, because Swift treats canonically equivalent texts as equal.
  private func expect(_ urls: [String], at target: Target) async throws {
    for url in urls {
      let arrived = try await target.nextURLs()
      #expect(arrived.map { Array($0.utf8) } == [Array(url.utf8)], "\(url) came as \(arrived)")
    }
  }

  private func with(
    _ kind: TargetKind, _ body: @Sendable (InstalledDesktop, Target, [String]) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      try await body(desk, target, Self.rests.map { kind.scheme + $0 })
    }
  }

  @Test(arguments: TargetKind.allCases)
  func `arrives byte for byte by usher open`(kind: TargetKind) async throws {
    try await with(kind) { desk, target, urls in
      for url in urls {
        // Notes has no route for most of them, and reports that.
        let report = try await desk.open(url)
        #expect(kind == .scenes ? [0, 6].contains(report.status) : report.status == 0, "\(report)")
        try await expect([url], at: target)
      }
    }
  }

  @Test(arguments: TargetKind.allCases, [Opener.brokerDoor, .handlerDoor])
  func `arrives byte for byte by the bus`(kind: TargetKind, door: Opener) async throws {
    try await with(kind) { desk, target, urls in
      for url in urls {
        _ = try await desk.call(
          door == .brokerDoor ? InstalledDesktop.broker : InstalledDesktop.handler, "Open", "asa{sv}", "1",
          url, "0")
        try await expect([url], at: target)
      }
    }
  }

  @Test(arguments: [Opener.gioOpen, .xdgOpen, .xdgOpenOnGNOME])
  func `arrives byte for byte by the desktop's openers`(opener: Opener) async throws {
    try await with(.scenes) { desk, target, urls in
      for url in urls {
        try await opener.open(url, on: desk)
        try await expect([url], at: target)
      }
    }
  }

  @Test(arguments: Opener.allCases)
  func `arrives with its spaces encoded by every opener`(opener: Opener) async throws {
    try await with(.plain) { desk, target, _ in
      let scheme = TargetKind.plain.scheme
      for (url, arrived) in [
        ("\(scheme):a@example.org?subject=Hello World", "\(scheme):a@example.org?subject=Hello%20World"),
        ("\(scheme):C:\\My Files", "\(scheme):C:\\My%20Files"),
      ] {
        try await opener.open(url, on: desk)
        try await expect([arrived], at: target)
      }
    }
  }

  @Test(arguments: TargetKind.allCases)
  func `of a hundred kibibytes arrives`(kind: TargetKind) async throws {
    try await with(kind) { desk, target, _ in
      let url = "\(kind.scheme):" + String(repeating: "0123456789abcdef", count: 100 << 6)
      #expect(url.utf8.count > 100 << 10)
      _ = try await desk.call(InstalledDesktop.broker, "Open", "asa{sv}", "1", url, "0")
      try await expect([url], at: target)
      _ = try await desk.usher("open", url)
      try await expect([url], at: target)
    }
  }
}
