// SPDX-License-Identifier: Apache-2.0
import Glibc
import Systemd

/// A running program whose standard output is captured; several can run in parallel.
struct ProgramOutput {
  private let child: SpawnedProcess
  private let descriptor: Int32
  private static let longest = 4 << 20

  /// Starts `program`; `nil` if it cannot be started.
  init?(_ program: ProcessConfiguration) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    var program = program
    program.output = ends[1]
    // KDE's tools report every missing menu on standard error.
    program.isMute = true
    let child = try? SpawnedProcess(program)
    close(ends[1])
    guard let child else {
      close(ends[0])
      return nil
    }
    self.child = child
    descriptor = ends[0]
  }

  /// The end of the program.
  enum Ending: Hashable {
    /// It has exited, or a signal has ended it, after this output.
    case ended(ExitStatus, output: String)
    /// It was killed, because the deadline had passed, or an interruption had arrived.
    case timeout
    /// It was killed, because its output is too long or cannot be read.
    case unreadable
  }

  /// Waits until the program has ended; can be called once.
  ///
  /// If the deadline passes first or the output is too long, kills the program with its children.
  ///
  /// - Parameter interruption: A descriptor that is readable as soon as the program is to be killed; -1 for none.
  func ending(by deadline: ContinuousClock.Instant, or interruption: Int32 = -1) -> Ending {
    defer { close(descriptor) }
    if let bytes = bytes(by: deadline, or: interruption), let status = child.exitStatus(by: deadline) {
      return .ended(status, output: String(decoding: bytes, as: UTF8.self))
    }
    let isLate = ContinuousClock.now >= deadline || Polling.wait(for: interruption, by: .now)
    child.killGroupAndReap()
    return isLate ? .timeout : .unreadable
  }

  private func bytes(by deadline: ContinuousClock.Instant, or interruption: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var polled = [descriptor, interruption].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while bytes.count < Self.longest {
      guard Polling.wait(for: &polled, by: deadline), polled[1].revents == 0 else { return nil }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
    return nil
  }
}

extension ProgramOutput.Ending? {
  /// The failure of a program that has neither exited nor exceeded its time, as a predicate: `was ended by signal 9 (Killed)`.
  ///
  /// The value `nil` is a program that could not be started.
  var failure: String? {
    switch self {
    case .ended(.exited, _), .timeout: nil
    case .ended(let status, _): "was ended by \(status)"
    case .unreadable: "printed more than can be read"
    case nil: "cannot be executed"
    }
  }
}

extension ProcessConfiguration {
  /// Runs the program, drops its output, and returns whether it exits with success.
  ///
  /// If the deadline passes first, kills the program with its children.
  func succeeds(by deadline: ContinuousClock.Instant) -> Bool { exitStatus(by: deadline) == .exited(0) }

  /// Runs the program, drops its output, and returns its exit status; `nil` if it cannot be started.
  ///
  /// If the deadline passes first, returns `nil` and kills the program with its children.
  func exitStatus(by deadline: ContinuousClock.Instant) -> ExitStatus? {
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(null) }
    var program = self
    (program.output, program.isMute) = (null, true)
    guard null >= 0, let child = try? SpawnedProcess(program) else { return nil }
    if let status = child.exitStatus(by: deadline) { return status }
    child.killGroupAndReap()
    return nil
  }
}

extension SpawnedProcess {
  /// Kills the process with its children, and reaps it, because a process that waits for any child would find it again and again.
  fileprivate func killGroupAndReap() {
    killGroup()
    _ = exitStatus(by: .now + .seconds(10))
  }
}
