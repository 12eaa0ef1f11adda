// SPDX-License-Identifier: Apache-2.0
/// The environment variables of a program that was started for a request.
public enum RequestVariable {
  /// The path of the file with the envelope.
  public static let envelope = "USHER_ENVELOPE"
  /// The number of hops of the request, which is set even if the file cannot be written or was removed.
  public static let hops = "USHER_HOPS"

  /// The names of all variables.
  public static let all = [envelope, hops]
}
