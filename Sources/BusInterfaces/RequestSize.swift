public import DBus

/// How large one request may be: what is larger is refused before anything is done for it.
public enum RequestSize {
  /// The maximum number of URLs.
  public static let maximumURLs = 512
  /// The maximum length of all URLs together, in bytes.
  public static let maximumBytes = 4 << 20

  /// The refusal of a larger request.
  public static let exceeded = BusError(
    .tooMany,
    "one request has at most \(maximumURLs) URLs, of \(maximumBytes >> 20) MiB together; open these in several requests"
  )

  /// The bound on the URLs of a call on the bus.
  public static let limit = StringListLimit(count: maximumURLs, bytes: maximumBytes, error: exceeded)

  /// The refusal of a request with `count` URLs of `bytes` bytes together; `nil` if the request is not too large.
  public static func refusal(count: Int, bytes: Int) -> BusError? {
    count > maximumURLs || bytes > maximumBytes ? exceeded : nil
  }
}
