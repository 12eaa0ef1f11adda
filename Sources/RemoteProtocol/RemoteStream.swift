// SPDX-License-Identifier: Apache-2.0
/// The bytes that one side of a connection between a remote client and a relay has received.
///
/// Each side first sends ``greeting``, then messages:
///
/// | from | kind | fields |
/// |---|---|---|
/// | relay | `ready` | `machine`: the name of the client's machine on the desktop; `version`: of Usher there; `accepts`: one for each kind of request that the relay knows, since `register` |
/// | client | `open` | `id`: chosen by the client, once for each request; `url`: one for each URL; the options of `usher open` by their names on the bus (``RemoteOption``); `accepts`: `carry`, if the client can carry the answer of a sign-in |
/// | client | `cancel` | `id` |
/// | client | `register` | `id`: chosen by the client; `scheme`; `timeout`: the time in microseconds that the user has to answer |
/// | relay | `registered` | `id`; `scheme` |
/// | relay | `link` | `id`: of the registration; `delivery`: its number; `url`: one for each URL; `hops` |
/// | client | `handled` | `id`, `delivery`: of the links; `error`: a sentence for the user, absent on success |
/// | relay | `progress` | `id`; `text`: a line for the user |
/// | relay | `result` | `id`; `status`: the exit status of `usher open`; `xdg-status`: that of `xdg-open`; `error`: a sentence for the user, absent on success; `line`: one for each line of output; `json`: the receipt, without deliveries if the message would be too long, which `error` or `line` then says; `stay`: the time in seconds for which the client stays to carry the answer of a sign-in, absent if it need not |
/// | relay | `carry` | `id`: of the request that has begun the sign-in; `host`, `port`, `target`: of the answer, a GET request (``CarriedRequest``) |
/// | client | `carried` | `id`; `status`: of the program's response, absent if the program has not answered |
/// | relay | `ended` | `id`: of the request whose sign-in has ended |
/// | relay | `rejection` | `error`: a sentence for the user |
///
/// A client may send `open` without waiting for `ready`. A registration lasts until the connection ends, or the relay sends a `result` with its
/// `id`. A message of an unknown kind with an `id` is answered with a `result` that says so. The relay of a container sends `carry` after the
/// `result` with `stay`, at most once for each request.
public struct RemoteStream: Sendable {
  /// The first bytes from each side, with the version of the protocol.
  public static let greeting = Array("usher-remote-1\n".utf8)

  /// The reason why a stream cannot be read further.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The other side is not a relay or a client of this version.
    case foreign
    /// A message is too long.
    case tooLong
    /// A message is malformed.
    case malformed

    /// The reason as a clause.
    public var description: String {
      switch self {
      case .foreign: "the other side speaks another protocol, or another version of it"
      case .tooLong: "a message is longer than \(RemoteMessage.limit) bytes"
      case .malformed: "a message is malformed"
      }
    }
  }

  private var bytes: [UInt8] = []
  /// The number of bytes at the beginning of `bytes` that were read.
  private var offset = 0
  private var isGreeted = false

  /// Creates a stream without bytes.
  public init() {}

  /// Appends received bytes.
  public mutating func append(_ more: some Sequence<UInt8>) {
    if offset > 0 {
      bytes.removeFirst(offset)
      offset = 0
    }
    bytes.append(contentsOf: more)
  }

  /// A Boolean value that indicates whether no part of a message is waiting for the rest.
  public var isBetweenMessages: Bool { isGreeted && offset == bytes.count }

  /// Removes and returns the next message; `nil` if it is not complete.
  public mutating func next() throws(Failure) -> RemoteMessage? {
    if !isGreeted {
      let start = bytes.prefix(Self.greeting.count)
      guard Self.greeting.starts(with: start) else { throw .foreign }
      guard start.count == Self.greeting.count else { return nil }
      offset = start.count
      isGreeted = true
    }
    let rest = bytes[offset...]
    guard rest.count >= 4 else { return nil }
    let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard length <= RemoteMessage.limit else { throw .tooLong }
    guard rest.count >= 4 + length else { return nil }
    offset += 4 + length
    guard let message = RemoteMessage(content: rest.dropFirst(4).prefix(length)) else { throw .malformed }
    return message
  }
}
