// SPDX-License-Identifier: Apache-2.0
/// A reason why a download failed, or why an attempt ended.
public struct DownloadFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a failure, which programs distinguish.
  public enum Kind: String, Hashable, Sendable {
    /// The URL, or a redirect, cannot be followed.
    case redirect
    /// The server rejects the request.
    case rejected
    /// The server cannot be reached, or the transfer was interrupted.
    case connection
    /// The certificate of the server is not trusted.
    case certificate
    /// The file is longer than allowed.
    case tooLarge = "too-large"
    /// The file has another checksum.
    case checksum
    /// The file changes, or the server cannot continue a transfer.
    case changed
    /// The disk is full, or the file cannot be written.
    case disk
    /// A file with that name exists.
    case exists
    /// The program `curl` cannot be started.
    case program
  }

  /// The kind.
  public let kind: Kind
  /// A sentence for users, which names what to do.
  public let description: String

  /// Creates a failure.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
