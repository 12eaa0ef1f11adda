import CSystemd
import Glibc

/// A program with piped input and output, for a caller that waits for nothing else.
public final class PipedProcess {
  /// An event of the program.
  public enum Event: Hashable, Sendable {
    /// The program wrote a line, which is given without its line ending.
    case line(String)
    /// The program wrote more than ``longestLine`` bytes without a line ending; they are dropped.
    case tooLong
    /// The program exited, and all its output was returned; `nil` if other code in this process has reaped it.
    case ended(ExitStatus?)
    /// The deadline has passed without an event.
    case late
  }

  /// The maximum length of a line in bytes.
  public static let longestLine = 1 << 20

  private let program: SpawnedProcess
  private let output: Int32
  /// The write end of the program's input; `nil` after it was closed.
  private var input: Int32?
  /// The read end of the program's input, kept open to query the number of unread bytes.
  private let itsInput: Int32
  private var isOutputOpen = true
  private var isInputEnding = false
  private var status: ExitStatus??
  private var unwritten: [UInt8] = []
  private var unsplit: [UInt8] = []

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

  /// Queues `bytes`, which are written during ``next(by:)`` as the program reads them.
  public func send(_ bytes: [UInt8]) { unwritten += bytes }

  /// Closes the program's input after the queued bytes.
  public func endInput() {
    isInputEnding = true
    write()
  }

  /// The number of sent bytes that the program has not read.
  public var unreadCount: Int {
    var count: Int32 = 0
    return unwritten.count + (ioctl(itsInput, UInt(FIONREAD), &count) == 0 ? Int(count) : 0)
  }

  /// Blocks until the next event, or until `deadline`.
  public func next(by deadline: ContinuousClock.Instant) -> Event {
    while true {
      if let event = takeLine() { return event }
      if let status { return .ended(status) }
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
    unwritten = []
    endInput()
    for number in [SIGTERM, SIGKILL] {
      if hasEnded(by: .now + timeout) { return }
      program.signalGroup(number)
    }
    _ = hasEnded(by: .now + timeout)
  }

  private func hasEnded(by deadline: ContinuousClock.Instant) -> Bool {
    while true {
      switch next(by: deadline) {
      case .line, .tooLong: continue
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
    close(input)
    self.input = nil
  }

  /// Reads the output that was written before the program exited.
  ///
  /// Later output is ignored, because it comes from other processes that the program started.
  private func drainOutput() {
    var count: Int32 = 0
    guard isOutputOpen, ioctl(output, UInt(FIONREAD), &count) == 0 else { return }
    let end = unsplit.count + Int(count)
    while isOutputOpen, unsplit.count < end { readOutput() }
    isOutputOpen = false
  }

  private func readOutput() {
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { bytes in
      let count = read(output, bytes.baseAddress, bytes.count)
      if count > 0 {
        unsplit.append(contentsOf: bytes[..<count])
      } else if count == 0 || errno != EINTR && errno != EAGAIN {
        isOutputOpen = false
      }
    }
  }

  private func takeLine() -> Event? {
    guard let end = unsplit.firstIndex(of: UInt8(ascii: "\n")) else {
      // The last line may have no line ending.
      if !isOutputOpen, !unsplit.isEmpty { return take(unsplit.count, and: 0) }
      guard unsplit.count > Self.longestLine else { return nil }
      unsplit = []
      return .tooLong
    }
    return take(end, and: 1)
  }

  private func take(_ count: Int, and end: Int) -> Event {
    defer { unsplit.removeFirst(count + end) }
    return count > Self.longestLine ? .tooLong : .line(String(decoding: unsplit[..<count], as: UTF8.self))
  }
}
