// SPDX-License-Identifier: Apache-2.0
/// The limits of a relay, which serves one machine.
enum RelayLimits {
  /// The maximum number of connections of clients; a further one is rejected.
  static let connections = 64
  /// The maximum number of requests of one connection that are in progress.
  static let requests = 32
  /// The maximum number of URLs in one request.
  static let urls = 100
  /// The time in which a client must send its first request.
  static let silence = Duration.seconds(30)
  /// The time that the broker has for its reply beyond the timeout of the request, because its own error is more precise.
  static let grace = Duration.seconds(5)
}
