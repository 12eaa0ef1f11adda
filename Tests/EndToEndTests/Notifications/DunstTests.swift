// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import Synchronization
import TestSupport
import Testing

/// Notifications with a real server, dunst.
@Suite struct `With dunst, a notification` {
  @Test func `is shown, replaced and removed, and its tap is delivered`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let dunst = try await Dunst.start(on: desk)
      let daemon = try await TriggerDaemon(on: desk)
      for title in ["First", "Second"] {
        try await daemon.add(#"{"identifier": "a", "content": {"title": "\#(title)", "body": "<b>&"}}"#)
        _ = try await application.nextEnvelope()
      }
      try await daemon.add(#"{"identifier": "b", "content": {"title": "Third"}}"#)
      _ = try await application.nextEnvelope()
      try await dunst.waitUntilDisplayed(2)
      try await daemon.bus.call(
        TriggersInterface.removeDeliveredNotifications, at: TriggersInterface.triggers, ServedApplication.id,
        ["b"])
      try await dunst.waitUntilDisplayed(1)
      try await dunst.click()
      let tapped = try await application.nextEnvelope()
      #expect(tapped.payload?["action-identifier"] == "default")
      #expect(tapped.payload?["alert"]?["title"] == "Second")
      try await daemon.waitUntilDelivered([])
    }
  }

  @Test func `is shown again by the next dunst, and not after the user removed it`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      await application.gate.open()
      let first = try await Dunst.start(on: desk)
      let daemon = try await TriggerDaemon(on: desk)
      for identifier in ["a", "b"] {
        try await daemon.add(#"{"identifier": "\#(identifier)", "content": {"title": "\#(identifier)"}}"#)
        _ = try await application.nextEnvelope()
      }
      try await first.waitUntilDisplayed(2)
      try await first.close()
      try await withDeadline(Command.defaultDeadline, "one delivered notification") {
        while try await daemon.delivered().count != 1 { try await Task.sleep(for: .milliseconds(20)) }
      }
      let second = try await first.restart()
      try await second.waitUntilDisplayed(1)
      try await second.click()
      #expect(try await application.nextEnvelope().payload?["action-identifier"] == "default")
      try await daemon.waitUntilDelivered([])
      #expect(try await second.displayed() == 0)
    }
  }

  /// The daemon exits at its N-th write or call of another program: from the storing of the trigger to the broker's receipt.
  @Test func `is neither lost nor doubled when the daemon is killed at any step`() async throws {
    var isComplete = false
    var point = 0
    while !isComplete {
      point += 1
      let number = point
      let isUninterrupted = Mutex(false)
      try await InstalledDesktop.with { desk in
        let isKilled = try await Self.deliver(on: desk, killedAt: number)
        isUninterrupted.withLock { $0 = !isKilled }
      }
      isComplete = isUninterrupted.withLock { $0 }
      #expect(point < 60)
      guard point < 60 else { return }
    }
    // The trigger, the notification, its presentation, its number, and the response are stored; the server and the broker are called.
    #expect(point > 12, "only \(point) steps")
  }

  /// Delivers one notification and its tap; returns whether the first daemon was killed.
  private static func deliver(on desk: InstalledDesktop, killedAt point: Int) async throws -> Bool {
    let application = try await ServedApplication.start(.application1, on: desk)
    await application.gate.open()
    let dunst = try await Dunst.start(on: desk)
    let faulty = try await RunningProgram.start(
      "usher-triggers",
      environment: desk.desktop.environment.merging(["USHER_TEST_KILL_AT": "\(point)"]) { $1 })
    try await desk.waitForOwner(of: TriggersInterface.busName, orExitOf: faulty)
    let daemon = try await TriggerDaemon(on: desk)
    let json =
      #"{"identifier": "a", "content": {"title": "A"}, "trigger": {"kind": "interval", "interval": 0.05}}"#
    do {
      try await daemon.add(json)
    } catch let error as BusError where error.name == .noReply {
      // The caller does not know whether the notification was stored, and adds it again.
      if try await daemon.pending().isEmpty, try await daemon.delivered().isEmpty {
        try await daemon.add(json)
      }
    }
    // A call starts the next daemon, as the service manager does.
    try await withDeadline(Command.defaultDeadline, "the notification") {
      while try await daemon.delivered() != ["a"] { try await Task.sleep(for: .milliseconds(10)) }
    }
    try await withDeadline(Command.defaultDeadline, "the notification to be handled") {
      while true {
        guard try await !daemon.delivered().isEmpty else { return }
        let count = try await dunst.displayed()
        #expect(count <= 1, "killed at \(point)")
        if count == 1 { try await dunst.click() }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    // A daemon that was killed after it stored the response has to be started to send it.
    try await daemon.waitUntilDelivered([])
    // Requests are delivered in order, so that a repeated response arrives before this one.
    try await desk.usher("open", "served:last").orThrow()
    var responses: [String?] = []
    var envelope = try await application.nextEnvelope()
    while envelope.urls != ["served:last"] {
      if envelope.payload?["action-identifier"] == "default" { responses.append(envelope.callerRequestID) }
      envelope = try await application.nextEnvelope()
    }
    #expect(responses.count == 1, "killed at \(point): \(responses)")
    try await dunst.waitUntilDisplayed(0)
    guard Glibc.kill(faulty.processIdentifier, 0) == 0 else { return true }
    faulty.kill()
    return false
  }
}
