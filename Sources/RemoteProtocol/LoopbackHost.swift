// SPDX-License-Identifier: Apache-2.0
/// The host of a redirect to a program on the machine of the program itself (RFC 8252, sections 7.3 and 8.3).
public enum LoopbackHost: String, CaseIterable, Sendable {
  /// The IPv4 address.
  case ipv4 = "127.0.0.1"
  /// The IPv6 address.
  case ipv6 = "[::1]"
  /// The name, which stands for both addresses.
  case name = "localhost"
}
