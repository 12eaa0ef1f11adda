// SPDX-License-Identifier: Apache-2.0
/// The proof of which process is at the other end of a connection.
///
/// From Linux 6.5 on, the kernel returns a pidfd of the process that connected. An earlier kernel returns only its
/// process ID, which may belong to another process by the time the connection is accepted. In that case the peer is
/// asked for a reply, because the kernel adds the sender's process ID to each packet. If a process had the ID when
/// the pidfd was opened, still has it afterwards, and replied in between, then it is the one that has the connection.
struct PeerProof: Equatable, Sendable {
  /// The next step of the proof.
  enum Step: Equatable, Sendable {
    /// The process is known.
    case known
    /// The peer must be asked for a reply.
    case ask
    /// There is no proof of which process it is.
    case unknown
  }

  /// The process ID at the time of the connection.
  let connected: Int32

  /// Returns the step that follows the kernel's answer to the request for a pidfd.
  ///
  /// - Parameters:
  ///   - error: 0 if the kernel returned one; otherwise the error, `ENOPROTOOPT` from a kernel without this option.
  ///   - notKnown: the value of `ENOPROTOOPT`.
  ///   - hasHolder: whether any process has the ID now.
  func step(after error: Int32, notKnown: Int32, hasHolder: Bool) -> Step {
    guard connected > 0 else { return .unknown }
    if error == 0 { return .known }
    // Any other error means that the process has exited.
    return error == notKnown && hasHolder ? .ask : .unknown
  }

  /// Returns the step that follows the reply.
  ///
  /// - Parameters:
  ///   - sender: the process ID of the sender, from the kernel; `nil` if the kernel did not add it.
  ///   - holderIsAlive: whether the process that had the ID before the peer was asked is still running.
  func step(afterReplyOf sender: Int32?, holderIsAlive: Bool) -> Step {
    sender == connected && holderIsAlive ? .known : .unknown
  }
}
