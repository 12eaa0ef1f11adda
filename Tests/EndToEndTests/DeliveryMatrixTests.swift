// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct `A link opens its application` {
  /// Opens a link cold, without a running broker or application, and then twice warm.
  @Test(arguments: TargetKind.allCases, Opener.allCases)
  func `cold and warm, once and byte for byte`(kind: TargetKind, opener: Opener) async throws {
    try await InstalledDesktop.with { desk in
      try await open(try await Target.install(kind, on: desk.desktop), by: opener, on: desk)
    }
  }

  @Test(arguments: Opener.allCases)
  func `cold and warm, also where the bus starts a Scenes application`(opener: Opener) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.letTheBusStart(.scenes)
      try await open(target, by: opener, on: desk)
    }
  }

  private func open(_ target: Target, by opener: Opener, on desk: InstalledDesktop) async throws {
    let kind = target.kind
    try desk.desktop.setUsherAsDefault(of: [kind])
    #expect(desk.processes(of: "\(desk.desktop.bin)/usherd").isEmpty)

    try await opener.open(target.url(1), on: desk)
    let cold = try await target.next()
    #expect(cold.urls == [target.url(1)], "\(cold)")
    #expect(cold.delivery == "launch", "\(cold)")
    let running = target.processes(on: desk)

    for number in 2...3 {
      try await opener.open(target.url(number), on: desk)
      let warm = try await target.next()
      #expect(warm.urls == [target.url(number)], "\(warm)")
      // A plain program is started for each link, because there is no running instance to call.
      #expect(warm.delivery == (kind == .plain ? "launch" : "running"), "\(warm)")
      #expect(warm.requestID != cold.requestID)
    }
    if kind != .plain {
      #expect(running.count == 1)
      #expect(target.processes(on: desk) == running)
    }
    // Deliveries are ordered, so that a repetition would have arrived before this request.
    try await desk.usher("open", target.url(99)).orThrow()
    #expect(try await target.next().urls == [target.url(99)])
  }
}
