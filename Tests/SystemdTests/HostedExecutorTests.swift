// SPDX-License-Identifier: Apache-2.0
import Foundation
import Systemd
import TestSupport
import Testing

/// An actor whose jobs run in a main loop.
private actor Window {
  nonisolated let host: HostedExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { host.asUnownedSerialExecutor() }
  private(set) var entries: [Int] = []
  private var threads: Set<pthread_t> = []

  init(on host: HostedExecutor) { self.host = host }

  func write(_ entry: Int) {
    entries.append(entry)
    threads.insert(pthread_self())
  }

  func writeLater(_ entry: Int) async {
    write(entry)
    await Task.yield()
    let other = await Task.detached { entry * 10 }.value
    write(other)
  }

  func isOn(_ thread: pthread_t) -> Bool { threads == [thread] && pthread_equal(thread, pthread_self()) != 0 }
}

/// A global actor like that of an application with windows, with its own executor, because only one loop can host the shared one.
@globalActor private actor Desktop {
  static let shared = Desktop()
  static let host: HostedExecutor = {
    do { return try HostedExecutor() } catch { fatalError("\(error)") }
  }()
  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.host.asUnownedSerialExecutor() }
}

@Desktop private final class Delegate {
  private var opened: [String] = []
  func open(_ url: String) async -> ([String], pthread_t) {
    opened.append(url)
    await Task.yield()
    return (opened, pthread_self())
  }
}

/// A log of values from several threads, in order.
private final class Notes<Note: Sendable>: Sendable {
  private let stream: AsyncStream<Note>
  private let continuation: AsyncStream<Note>.Continuation
  init() { (stream, continuation) = AsyncStream.makeStream() }
  func add(_ note: Note) { continuation.yield(note) }
  func first(_ count: Int) async throws -> [Note] {
    let stream = stream
    return try await withDeadline(Command.defaultDeadline, "\(count) notes") {
      var notes: [Note] = []
      for await note in stream {
        notes.append(note)
        if notes.count == count { break }
      }
      return notes
    }
  }
}

extension HostedExecutor {
  /// A Boolean value that is `true` if the descriptor tells a main loop that there is work.
  fileprivate var isReadable: Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) == 1
  }
}

@Suite struct `An executor that a main loop hosts` {
  @Test func `Jobs run in order, and the descriptor signals them`() async throws {
    let host = try HostedExecutor()
    let seen = Notes<Int>()
    #expect(!host.isReadable)
    for number in 0..<1_000 {
      Task(executorPreference: host) { seen.add(number) }
      #expect(host.isReadable)
    }
    host.attachAndRun()
    #expect(!host.isReadable)
    #expect(try await seen.first(1_000) == Array(0..<1_000))
  }

  @Test func `Jobs of many threads all run, each thread's in its order`() async throws {
    let host = try HostedExecutor()
    let seen = Notes<Int>()
    let loop = PollLoop(hosting: host)
    for thread in 0..<8 {
      Thread.detachNewThread {
        for number in 0..<500 { Task(executorPreference: host) { seen.add(thread * 1_000 + number) } }
      }
    }
    let entries = try await seen.first(4_000)
    for thread in 0..<8 {
      #expect(entries.filter { $0 / 1_000 == thread } == (0..<500).map { thread * 1_000 + $0 })
    }
    try await loop.quit()
    #expect(!host.isReadable)
  }

  @Test func `A run ends though its jobs bring more work for ever`() async throws {
    let host = try HostedExecutor()
    let seen = Notes<Int>()
    @Sendable func again(_ number: Int) {
      seen.add(number)
      Task(executorPreference: host) { again(number + 1) }
    }
    Task(executorPreference: host) { again(0) }
    host.attachAndRun()
    #expect(host.isReadable)
    host.attachAndRun()
    #expect(host.isReadable)
    #expect(try await seen.first(2) == [0, 1])
  }

  @Test func `A nested loop does not run waiting jobs, which the outer loop runs`() async throws {
    let host = try HostedExecutor()
    let seen = Notes<String>()
    Task(executorPreference: host) {
      seen.add("begins")
      Task(executorPreference: host) { seen.add("waits") }
      seen.add("readable \(host.isReadable)")
      host.run()
      seen.add("ends")
    }
    host.attachAndRun()
    #expect(try await seen.first(4) == ["begins", "readable false", "ends", "waits"])
    #expect(!host.isReadable)
  }

  @Test func `Isolation is recognized only on the host's thread`() async throws {
    let host = try HostedExecutor()
    let window = Window(on: host)
    #expect(host.isIsolatingCurrentContext() == false)
    try await BlockingWork.run {
      host.attach()
      // A callback of the loop is not a job of the actor, but may enter its isolation.
      window.assumeIsolated { $0.write(7) }
      host.checkIsolated()
    }
    let loop = PollLoop(hosting: host)
    #expect(await window.entries == [7])
    #expect(host.isIsolatingCurrentContext() == false)
    try await loop.quit()
  }

  @Test func `Use from a thread other than the host's stops the program`() async {
    await #expect(processExitsWith: .failure) { HostedExecutor.shared.checkIsolated() }
    await #expect(processExitsWith: .failure) {
      HostedExecutor.shared.run()
      _ = try? await BlockingWork.run { HostedExecutor.shared.run() }
    }
  }

  @Test func `An actor runs on the thread of a poll loop`() async throws {
    let host = try HostedExecutor()
    let loop = PollLoop(hosting: host)
    try await live(Window(on: host), on: loop.thread)
    try await loop.quit()
  }

  @Test func `An actor runs on the thread of a GLib main loop`() async throws {
    let host = try HostedExecutor()
    let loop = try GLibLoop(host)
    try await live(Window(on: host), on: loop.thread)
    try await loop.quit()
  }

  @Test func `A delegate on a custom global actor runs on GLib's thread`() async throws {
    let loop = try GLibLoop(Desktop.host)
    let thread = try await loop.thread()
    let delegate = Delegate()
    #expect(await delegate.open("notes:1").0 == ["notes:1"])
    let (opened, own) = await delegate.open("notes:2")
    #expect(opened == ["notes:1", "notes:2"])
    #expect(pthread_equal(own, thread) != 0)
    try await loop.quit()
  }

  private func live(_ window: Window, on thread: () async throws -> pthread_t) async throws {
    let thread = try await thread()
    await withTaskGroup(of: Void.self) { group in
      for number in 1..<100 { group.addTask { await window.writeLater(number) } }
    }
    #expect(await window.isOn(thread))
    #expect(
      await window.entries.sorted() == ((1..<100).map { $0 } + (1..<100).map { $0 * 10 }).sorted())
    #expect(!window.host.isCurrent)
  }
}

extension PollLoop {
  fileprivate init(hosting host: HostedExecutor) {
    self.init(watching: host.descriptor, start: host.attach, host.run)
  }
}

extension HostedExecutor {
  /// Runs one turn of a loop of the calling thread.
  fileprivate func attachAndRun() {
    attach()
    run()
  }
}

/// A thread with a main loop of GLib that hosts an executor until it is quit.
private struct GLibLoop {
  private let threads = Notes<pthread_t>()
  private let ended = Notes<String>()
  private let quitting = Notes<@Sendable () -> Void>()

  init(_ host: HostedExecutor) throws {
    let library = try GLibLibrary()
    let (threads, ended, quitting) = (threads, ended, quitting)
    Thread.detachNewThread {
      threads.add(pthread_self())
      do throws(TestSupportError) {
        try library.run(
          watching: host.descriptor,
          { _, _, data in
            guard let data else { return 0 }
            Unmanaged<HostedExecutor>.fromOpaque(data).takeUnretainedValue().run()
            return 1
          }, Unmanaged.passUnretained(host).toOpaque(), started: quitting.add)
        ended.add("quit")
      } catch {
        ended.add("\(error)")
      }
    }
  }

  func thread() async throws -> pthread_t { try await threads.first(1)[0] }

  /// Quits the running loop, and waits until its thread has exited it.
  func quit() async throws {
    try await quitting.first(1)[0]()
    #expect(try await ended.first(1) == ["quit"])
  }
}
