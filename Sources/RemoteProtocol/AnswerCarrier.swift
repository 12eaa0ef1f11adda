// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The part of a client in a container that stays after its request, to carry the answer of a sign-in to the program there.
///
/// It connects in the network of the container, so that it reaches nothing else. The caller of the client, such as `xdg-open`, does not wait
/// for it.
struct AnswerCarrier {
  /// The maximum time in seconds for which it stays.
  private static let longestStay = 660

  private let connection: RelayConnection
  /// The ID of the request that has begun the sign-in.
  private let id: String
  private let seconds: Int

  /// Creates the part for the result of a request; `nil` if the relay does not need it.
  init?(_ result: RemoteMessage, over connection: RelayConnection) {
    guard let id = result["id"], let seconds = result["stay"].flatMap({ Int($0) }), seconds > 0 else {
      return nil
    }
    self.connection = connection
    self.id = id
    self.seconds = min(seconds, Self.longestStay)
  }

  /// Stays in a new process without terminal, standard streams and other descriptors of the caller, and returns in this one.
  ///
  /// If no process can be made, the relay reports in the browser that the client is gone.
  func begin() {
    guard fork() == 0 else { return }
    Self.detach(keeping: connection.descriptor)
    carryAnswer()
    _exit(0)
  }

  private static func detach(keeping connection: Int32) {
    setsid()
    signal(SIGINT, SIG_DFL)
    // The caller's directory may be removed or unmounted meanwhile.
    chdir("/")
    // A caller that reads the output of the client waits until all copies of the pipe are closed.
    let null = open("/dev/null", O_RDWR)
    for descriptor in openDescriptors where descriptor != connection && descriptor != null {
      close(descriptor)
    }
    guard null >= 0 else { return }
    for descriptor in 0..<Int32(3) where descriptor != connection { dup2(null, descriptor) }
    if null > 2 { close(null) }
  }

  private static var openDescriptors: [Int32] {
    // Without /proc, those that programs have as a rule.
    guard let directory = opendir("/proc/self/fd") else { return Array(0..<256) }
    defer { closedir(directory) }
    var descriptors: [Int32] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let descriptor = Int32(name), descriptor != dirfd(directory) { descriptors.append(descriptor) }
    }
    return descriptors
  }

  private func carryAnswer() {
    let end = MonotonicClock.now + seconds * 1_000
    while true {
      switch connection.next(timeout: Int32(max(0, end - MonotonicClock.now))) {
      case .ended: return
      case .message(let message) where message["id"] == id && message.kind == .ended: return
      case .message(let message) where message["id"] == id && message.kind == .carry:
        let program = CarriedRequest(message).flatMap { ProgramConnection($0) }
        _ = connection.send(
          RemoteMessage(.carried, ["id": id, "status": program?.readStatus().map { "\($0)" }]))
        program?.readRest()
        return
      case .interrupted, .message: break
      }
    }
  }
}
