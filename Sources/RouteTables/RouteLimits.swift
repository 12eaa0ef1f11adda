// SPDX-License-Identifier: Apache-2.0
/// The maximum sizes of URLs and patterns; larger ones are rejected with a typed error.
public enum RouteLimits {
  /// The maximum length of a URL or pattern in bytes: 64 KiB.
  public static let bytes = 65_536
  /// The maximum number of segments of a path.
  public static let segments = 1_024
  /// The maximum number of labels of a host.
  public static let labels = 128
  /// The maximum number of items of a URL's query.
  public static let queryItems = 256
  /// The maximum number of captures of a pattern.
  public static let captures = 32
  /// The maximum number of query items in a pattern.
  public static let patternQueryItems = 64
  /// The maximum number of elements of the argv of a route.
  public static let arguments = 256
  /// The maximum number of variants of a route.
  ///
  /// A route has a variant for each of its patterns, multiplied by the alternatives of choices and by the numbers of optional
  /// segments that change the number of segments.
  public static let variants = 64
}
