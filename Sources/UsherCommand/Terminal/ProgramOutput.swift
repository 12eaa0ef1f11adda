import Glibc
import Systemd

/// A program that is running, and whose standard output is wanted: several can run side by side.
struct ProgramOutput {
  private let child: SpawnedProcess
  private let descriptor: Int32
  private static let longest = 4 << 20

  /// Starts `program`; `nil` where it cannot be started.
  init?(_ program: ProcessConfiguration) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    var program = program
    program.output = ends[1]
    // KDE's tools tell of every menu that they miss.
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

  /// What it wrote until it ended; to be called once.
  ///
  /// `nil`, and it is ended with all that it started, where that takes longer than until `deadline`.
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
