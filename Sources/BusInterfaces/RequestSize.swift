// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The limits on the size of a request; a larger one is rejected before it is processed.
public enum RequestSize {
  /// The maximum number of URLs.
  public static let maximumURLs = 512
  /// The maximum length of all URLs together, in bytes.
  public static let maximumBytes = 4 << 20

  /// The error for a request that exceeds the limits.
  public static let exceeded = BusError(
    .tooMany,
    "a request may have at most \(maximumURLs) URLs with \(maximumBytes >> 20) MiB in total; open these in several requests"
  )

  /// The limit for the URLs of a call on the bus.
  public static let limit = StringListLimit(count: maximumURLs, bytes: maximumBytes, error: exceeded)

  /// Returns the first of `urls`, as many as one request may have; at least one.
  package static func firstPart(of urls: [String]) -> [String] {
    var bytes = 0
    let part = urls.prefix(maximumURLs).prefix { url in
      bytes += url.utf8.count
      return bytes <= maximumBytes
    }
    return Array(part.isEmpty ? urls.prefix(1) : part)
  }

  /// Returns the error for a request with `count` URLs of `bytes` bytes in total; `nil` if it is within the limits.
  public static func refusal(count: Int, bytes: Int) -> BusError? {
    count > maximumURLs || bytes > maximumBytes ? exceeded : nil
  }
}
