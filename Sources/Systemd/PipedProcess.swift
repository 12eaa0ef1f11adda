// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A program with piped input and output.
///
/// A caller that waits for nothing else calls ``next(by:)``. A caller on an event loop has it watched, and calls
/// ``next(by:)`` with the current time until there is no event. A program that writes without end delays neither their
/// deadlines nor the other work of the loop.
public final class PipedProcess {
  /// An event of the program.
  public enum Event: Hashable, Sendable {
    /// The program wrote a line, which is given without its line ending.
    case line([UInt8])
    /// The program wrote more than ``longestLine`` bytes without a line ending; they are dropped.
    case tooLong
    /// The program exited, and all its output was returned; `nil` if other code in this process has reaped it.
    case ended(ExitStatus?)
    /// The deadline has passed without an event.
    case late
  }

  /// The maximum length of a line in bytes.
  public static let longestLine = LineBuffer.longestLine

  /// The maximum number of bytes in one read, and so of the lines for which the other work of a loop waits.
  private static let longestRead = 4_096

  private let program: SpawnedProcess
  private let output: Int32
  /// The write end of the program's input; `nil` after it was closed.
  private var input: Int32?
  /// The read end of the program's input, kept open to query the number of unread bytes.
  private let itsInput: Int32
  /// A Boolean value that is `false` after the program has closed its output or exited.
  public private(set) var isOutputOpen = true
  private var isInputEnding = false
  private var status: ExitStatus??
  private var unwritten: [UInt8] = []
  private var lines = LineBuffer()
  /// The loop that watches the program, with one source for each descriptor.
  private var watch: (loop: EventLoop, onReady: () -> Void, sources: [Int32: EventSource])?
  /// Indicates whether output was read since the loop has called `onReady`.
  private var hasRead = false

  /// Starts `program` with pipes as its input and output.
  ///
  /// - Throws: `SystemdError` if it cannot be executed, or if there are no descriptors left.
  public init(_ program: ProcessConfiguration) throws(SystemdError) {
    var (inputs, outputs): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&inputs) == 0, pipe(&outputs) == 0 else {
      let code = errno
      for descriptor in inputs where descriptor >= 0 { close(descriptor) }
      throw SystemdError("talk to \(program.executable)", code: code)
    }
    for descriptor in inputs + outputs { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    for ours in [inputs[1], outputs[0]] { _ = fcntl(ours, F_SETFL, O_NONBLOCK) }
    var program = program
    (program.input, program.output) = (inputs[0], outputs[1])
    defer { close(outputs[1]) }
    do throws(SystemdError) {
      self.program = try SpawnedProcess(program)
    } catch {
      for descriptor in inputs + [outputs[0]] { close(descriptor) }
      throw error
    }
    (itsInput, input, output) = (inputs[0], inputs[1], outputs[0])
  }

  deinit {
    if let input { close(input) }
    close(itsInput)
    close(output)
  }

  /// The process ID, which is that of the program's process group, too.
  public var processID: Int32 { program.pid }

  /// Queues `bytes`, which are written as the program reads them: at once, and during ``next(by:)``.
  public func send(_ bytes: [UInt8]) {
    unwritten += bytes
    write()
    updateSources()
  }

  /// Closes the program's input after the queued bytes.
  public func endInput() {
    isInputEnding = true
    write()
    updateSources()
  }

  /// Calls `onReady` on the loop's thread each time ``next(by:)`` can make progress, until ``unwatch()``.
  ///
  /// All calls to a watched program are made on that thread.
  public func watch(on loop: EventLoop, _ onReady: @escaping () -> Void) {
    watch = (loop, onReady, [:])
    updateSources()
  }

  /// Ends the watch, and releases its function.
  public func unwatch() {
    for source in watch?.sources.values.map(\.self) ?? [] { source.cancel() }
    watch = nil
  }

  /// Watches the descriptors that can make progress, and no others, because they would wake the loop continuously.
  private func updateSources() {
    guard let (loop, onReady, _) = watch else { return }
    var wanted: [Int32: UInt32] = [:]
    if isOutputOpen { wanted[output] = EPOLLIN.rawValue }
    if let input, !unwritten.isEmpty { wanted[input] = EPOLLOUT.rawValue }
    if status == nil { wanted[program.descriptor] = EPOLLIN.rawValue }
    for (descriptor, source) in watch?.sources ?? [:] where wanted[descriptor] == nil {
      source.cancel()
      watch?.sources[descriptor] = nil
    }
    for (descriptor, events) in wanted where watch?.sources[descriptor] == nil {
      watch?.sources[descriptor] = try? EventSource.ready(
        loop, descriptor: descriptor, events: events
      ) { [weak self] in
        self?.hasRead = false
        onReady()
      }
    }
  }

  /// The number of sent bytes that the program has not read.
  public var unreadCount: Int {
    var count: Int32 = 0
    return unwritten.count + (ioctl(itsInput, UInt(FIONREAD), &count) == 0 ? Int(count) : 0)
  }

  /// Blocks until the next event, or until `deadline`.
  ///
  /// A watched program has further events after the next call of the loop, when its output was read once in this one.
  public func next(by deadline: ContinuousClock.Instant) -> Event {
    defer { updateSources() }
    while true {
      if let event = takeLine() { return event }
      if let status { return .ended(status) }
      if watch != nil, hasRead { return .late }
      var polled = [
        pollfd(fd: isOutputOpen ? output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: unwritten.isEmpty ? -1 : input ?? -1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: program.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard Polling.wait(for: &polled, by: deadline) else { return .late }
      if polled[1].revents != 0 { write() }
      if polled[2].revents != 0 {
        drainOutput()
        status = .some(program.exitStatus(by: deadline))
      } else if polled[0].revents != 0 {
        readOutput()
      }
    }
  }

  /// Ends the program: closes its input, then sends SIGTERM, then SIGKILL, and waits up to `timeout` after each.
  public func end(timeout: Duration) {
    unwatch()
    unwritten = []
    endInput()
    for number in [SIGTERM, SIGKILL] {
      if hasEnded(by: .now + timeout) { return }
      program.signalGroup(number)
    }
    _ = hasEnded(by: .now + timeout)
  }

  /// Ends the program as ``end(timeout:)`` does, but on a thread of its own, and then calls `ended` on the loop's thread.
  ///
  /// No other call to the program may follow.
  ///
  /// - Returns: `false` if the system permits no further thread; the program was not ended.
  public func end(timeout: Duration, on loop: EventLoop, then ended: @escaping @Sendable () -> Void) -> Bool {
    unwatch()
    // The caller makes no other call.
    nonisolated(unsafe) let process = self
    return DetachedThread.run {
      process.end(timeout: timeout)
      loop.submit(ended)
    }
  }

  private func hasEnded(by deadline: ContinuousClock.Instant) -> Bool {
    while true {
      switch next(by: deadline) {
      case .line, .tooLong: guard .now < deadline else { return false }
      case .ended: return true
      case .late: return false
      }
    }
  }

  private func write() {
    guard let input else { return }
    while !unwritten.isEmpty {
      let count = Glibc.write(input, unwritten, unwritten.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      unwritten.removeFirst(count)
    }
    guard isInputEnding else { return }
    watch?.sources.removeValue(forKey: input)?.cancel()
    close(input)
    self.input = nil
  }

  /// Reads the output that was written before the program exited.
  ///
  /// Later output is ignored, because it comes from other processes that the program started.
  private func drainOutput() {
    var count: Int32 = 0
    guard isOutputOpen, ioctl(output, UInt(FIONREAD), &count) == 0 else { return }
    let end = lines.count + Int(count)
    while isOutputOpen, lines.count < end { readOutput() }
    isOutputOpen = false
  }

  private func readOutput() {
    hasRead = true
    withUnsafeTemporaryAllocation(byteCount: Self.longestRead, alignment: 1) { bytes in
      let count = read(output, bytes.baseAddress, bytes.count)
      if count > 0 {
        lines.append(bytes[..<count])
      } else if count == 0 || errno != EINTR && errno != EAGAIN {
        isOutputOpen = false
      }
    }
  }

  private func takeLine() -> Event? {
    switch lines.next(atEnd: !isOutputOpen) {
    case .line(let line): .line(line)
    case .tooLong: .tooLong
    case nil: nil
    }
  }
}
