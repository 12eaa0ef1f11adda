// SPDX-License-Identifier: Apache-2.0
/// The limits of downloads, as `desktop/org.usher.Triggers1.xml` states them.
public enum DownloadLimits {
  /// The maximum number of unfinished downloads of one application.
  public static let ofApplication = 64
  /// The maximum number of unfinished downloads of all applications.
  public static let stored = 256
  /// The maximum number of transfers of one application that run at once.
  public static let transfersOfApplication = 2
  /// The maximum number of transfers that run at once.
  public static let transfers = 4
  /// The maximum length of a URL in bytes.
  public static let url = 8_192
  /// The maximum length of the path of a file in bytes.
  public static let path = 4_000
  /// The maximum length of a file name in bytes, so that the name of the partial file is valid, too.
  public static let fileName = 240
  /// The maximum number of header fields of a request.
  public static let headers = 32
  /// The maximum length of all header fields of a request in bytes.
  public static let headersSize = 16_384
  /// The maximum length of a request in bytes, as a property list.
  public static let request = 57_344
  /// The maximum number of redirects that a transfer follows.
  public static let redirects = 10
  /// The number of times that a file is started again from its beginning, before the download fails.
  public static let restarts = 5
  /// The time without any progress after which a download fails, in milliseconds: 7 days.
  public static let giveUpTime: Int64 = 604_800_000
  /// The number of attempts without progress before which no download fails for that time.
  public static let leastAttempts = 10
  /// The longest delay between two attempts, in seconds.
  public static let longestDelay = 600
  /// The time after which a server that sends nothing is given up, in seconds.
  public static let stall = 60
  /// The free space that must exist before a file of unknown length is continued, in bytes.
  public static let reserve: Int64 = 1 << 20
}
