// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Systemd

/// An actor on an event loop that records numbers.
actor Notebook {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private(set) var entries: [Int] = []

  init(on loop: EventLoop = .shared) { self.loop = loop }

  func write(_ entry: Int) { entries.append(entry) }

  func isOnLoop() -> Bool { loop.isCurrent }

  /// Writes from tasks that are created in sequence.
  func writeByTasks(_ range: Range<Int>) async {
    let tasks = range.map { number in Task { self.write(number) } }
    for task in tasks { await task.value }
  }
}

@Suite struct `The event loop` {
  @Test func `Jobs of an actor run on the loop's thread in the order they were made`() async {
    let notebook = Notebook()
    #expect(await notebook.isOnLoop())
    #expect(!EventLoop.shared.isCurrent)
    await notebook.writeByTasks(0..<1_000)
    #expect(await notebook.entries == Array(0..<1_000))
  }

  @Test func `Blocks of many threads all run, each thread's in its order`() async {
    let loop = EventLoop.shared
    let seen = LoopLog<Int>()
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      let group = DispatchGroup()
      for thread in 0..<8 {
        Thread.detachNewThread(in: group) {
          for number in 0..<500 { loop.submit { seen.add(thread * 1_000 + number) } }
        }
      }
      group.notify(queue: .global()) { loop.submit { done.resume() } }
    }
    let entries = await seen.entries(on: loop)
    #expect(entries.count == 4_000)
    for thread in 0..<8 {
      #expect(entries.filter { $0 / 1_000 == thread } == (0..<500).map { thread * 1_000 + $0 })
    }
  }

  @Test func `Isolation is known on the loop and elsewhere`() async {
    let loop = EventLoop.shared
    let notebook = Notebook(on: loop)
    #expect(loop.isIsolatingCurrentContext() == false)
    let inside = await withCheckedContinuation { continuation in
      loop.submit {
        // A block is not a job of the actor, but may enter its isolation.
        loop.checkIsolated()
        notebook.assumeIsolated { $0.write(7) }
        continuation.resume(returning: loop.isIsolatingCurrentContext())
      }
    }
    #expect(inside == true)
    #expect(await notebook.entries == [7])
  }

  @Test func `Deferred work runs in order after all work of the turn`() async {
    let loop = EventLoop()
    let seen = LoopLog<Int>()
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      loop.submit {
        loop.submitAfterwards { seen.add(4) }
        loop.submitAfterwards {
          seen.add(5)
          loop.submit { seen.add(6) }
          loop.submitAfterwards { done.resume() }
        }
        seen.add(1)
        loop.submit {
          seen.add(2)
          loop.submit { seen.add(3) }
        }
      }
    }
    #expect(await seen.entries(on: loop) == [1, 2, 3, 4, 5, 6])
  }

  @Test func `Deferred work wakes a sleeping loop, and endless work does not starve it`()
    async
  {
    let loop = EventLoop()
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      loop.submitAfterwards { done.resume() }
    }
    let busy = Busy(loop)
    loop.submit { busy.goOn() }
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      loop.submitAfterwards {
        busy.isOver = true
        done.resume()
      }
    }
  }

  /// Work that schedules more of itself, counted until a number of events that were due at its start has arrived.
  private final class Endless: @unchecked Sendable {
    // On the loop's thread alone.
    private let loop = EventLoop()
    private var timers: [LoopTimer?] = []
    private var left: Int
    private var rounds = 0
    private let ended: CheckedContinuation<Int, Never>

    init(events: Int, _ ended: CheckedContinuation<Int, Never>) {
      left = events
      self.ended = ended
      loop.submit { [self] in
        timers = (0..<events).map { _ in LoopTimer(on: loop, after: .zero) { self.left -= 1 } }
        goOn()
      }
    }

    private func goOn() {
      guard left > 0 else { return ended.resume(returning: rounds) }
      rounds += 1
      loop.submit { [self] in goOn() }
    }
  }

  @Test func `Events are handled in batches while there is endless work`() async {
    let events = 500
    let rounds = await withCheckedContinuation { continuation in
      _ = Endless(events: events, continuation)
    }
    // One event in each turn would take sixteen rounds for each event.
    #expect(rounds < events * 8, "\(rounds)")
  }

  @Test func `Two loops are two threads`() async {
    let other = EventLoop()
    #expect(await Notebook(on: other).isOnLoop())
    let mixed = await withCheckedContinuation { continuation in
      other.submit { continuation.resume(returning: EventLoop.shared.isCurrent) }
    }
    #expect(!mixed)
  }

  @Test func `Use from another thread stops the program`() async {
    await #expect(processExitsWith: .failure) { EventLoop.shared.checkIsolated() }
  }
}

// @unchecked: used on its loop's thread alone.
/// Work that schedules more of itself.
private final class Busy: @unchecked Sendable {
  private let loop: EventLoop
  var isOver = false

  init(_ loop: EventLoop) { self.loop = loop }

  func goOn() {
    if !isOver { loop.submit { self.goOn() } }
  }
}

// @unchecked: used on one loop's thread alone.
/// A log of the events on a loop, in order.
final class LoopLog<Entry: Sendable>: @unchecked Sendable {
  private var list: [Entry] = []
  func add(_ entry: Entry) { list.append(entry) }
  func entries(on loop: EventLoop) async -> [Entry] {
    await withCheckedContinuation { continuation in
      loop.submit { continuation.resume(returning: self.list) }
    }
  }
}

extension Thread {
  fileprivate static func detachNewThread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    Thread.detachNewThread {
      body()
      group.leave()
    }
  }
}
