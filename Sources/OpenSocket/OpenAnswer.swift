// SPDX-License-Identifier: Apache-2.0
/// An answer of the broker at the socket, sent as a packet of one byte.
public enum OpenAnswer: UInt8, Sendable {
  /// The request reached the outcome that the caller waits for, and there is nothing to report.
  case done = 0x64  // d
  /// There is more to report, which the caller queries with the request and `reattach` at `org.usher.Broker1`.
  case ask = 0x61  // a
  /// The broker's kernel cannot identify the connected process; the caller proves its identity with a packet of one byte.
  case identify = 0x69  // i
  /// The user sees a prompt about the request; the answer follows. Sent only to a caller with the option `prompt=announce`.
  case prompting = 0x70  // p
  /// If the broker exits from now on, the outcome may be unknown; the answer follows.
  case uncertain = 0x75  // u
}
