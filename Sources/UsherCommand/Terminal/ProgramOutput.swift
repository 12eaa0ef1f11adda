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

  /// Returns the output until the program exits; can be called once.
  ///
  /// If the deadline passes first or the output is too long, returns `nil` and kills the program with its children.
  func read(by deadline: ContinuousClock.Instant) -> String? {
    defer { close(descriptor) }
    guard let bytes = bytes(by: deadline), child.exitStatus(by: deadline) != nil else {
      child.killGroup()
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func bytes(by deadline: ContinuousClock.Instant) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < Self.longest {
      guard Polling.wait(for: descriptor, by: deadline) else { return nil }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
    return nil
  }
}
