// SPDX-License-Identifier: Apache-2.0
/// The environment variables of a program that was started for a request.
public enum RequestVariable {
  /// The path of the file with the envelope.
  public static let envelope = "USHER_ENVELOPE"
  /// The number of hops of the request, which is set even if the file cannot be written or was removed.
  public static let hops = "USHER_HOPS"

  /// A digest of the link for which `xdg-open` runs a command of `$BROWSER`.
  public static let browser = "USHER_BROWSER"

  /// The names of the variables of a program that was started for a request.
  public static let all = [envelope, hops]
}
