/// How the process at the other end of a connection becomes known.
///
/// A kernel from Linux 6.5 on hands out a pidfd of the very process that connected. An earlier one knows its number only, which
/// may belong to another process by the time the connection is accepted, however soon that is. Then the peer is asked for
/// a reply: the kernel writes the number of the process that sends a packet into that packet. The process that held the
/// number when our pidfd was made, still holds it afterwards, and replied in between, is the one that has the connection.
struct PeerProof: Equatable, Sendable {
  /// What is to be done next.
  enum Step: Equatable, Sendable {
    /// The process is known.
    case known
    /// The peer is asked for a reply.
    case ask
    /// Nothing proves which process it is.
    case unknown
  }

  /// The number of the process that connected, as it was then.
  let connected: Int32

  /// The step that follows the kernel's answer to the question for a pidfd.
  ///
  /// - Parameters:
  ///   - error: 0 where the kernel handed one out; else the error, `ENOPROTOOPT` from a kernel that does not know the question.
  ///   - notKnown: the value of `ENOPROTOOPT`.
  ///   - hasHolder: whether some process has the number now.
  func step(after error: Int32, notKnown: Int32, hasHolder: Bool) -> Step {
    guard connected > 0 else { return .unknown }
    if error == 0 { return .known }
    // Any other error says that the process has exited.
    return error == notKnown && hasHolder ? .ask : .unknown
  }

  /// The step that follows the reply.
  ///
  /// - Parameters:
  ///   - sender: the number of the process that sent it, from the kernel; `nil` where the kernel did not say.
  ///   - holderIsAlive: whether the process that had the number before the peer was asked still runs.
  func step(afterReplyOf sender: Int32?, holderIsAlive: Bool) -> Step {
    sender == connected && holderIsAlive ? .known : .unknown
  }
}
