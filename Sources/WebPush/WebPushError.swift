// SPDX-License-Identifier: Apache-2.0
/// The reason why a push message cannot be decrypted, or why keys cannot be created.
public enum WebPushError: Error, Hashable, Sendable {
  /// The message is longer than the push service may send.
  case tooLarge(bytes: Int, limit: Int)
  /// The message ends before the end of its header or of its record.
  case truncated(bytes: Int)
  /// The record size of the header is less than the 18 bytes that RFC 8188 requires.
  case recordSize(UInt32)
  /// The message has more than one record, which RFC 8291 excludes.
  case multipleRecords
  /// The sender's key is not a point of the curve P-256.
  case senderKey
  /// The message was encrypted for other keys, or was changed after that.
  case notAuthentic
  /// The decrypted record does not end with the delimiter of a last record.
  case padding
  /// The stored keys are not a key pair of P-256 with a secret of 16 bytes.
  case keys
  /// libcrypto has failed; the text names the operation and the error.
  case library(String)
}

extension WebPushError: CustomStringConvertible {
  /// The error as a sentence for the journal.
  public var description: String {
    switch self {
    case .tooLarge(let bytes, let limit): "the message has \(bytes) bytes, and the limit is \(limit)"
    case .truncated(let bytes): "the message of \(bytes) bytes is incomplete"
    case .recordSize(let size): "the record size \(size) of the header is less than 18"
    case .multipleRecords: "the message has more than one record; RFC 8291 allows one"
    case .senderKey: "the sender's key in the header is not a point of the curve P-256"
    case .notAuthentic:
      "the message was encrypted for other keys or was changed; the server must use the token of the last registration"
    case .padding: "the decrypted message does not end with the delimiter of a last record"
    case .keys: "the stored keys are invalid; register the application again"
    case .library(let text): "libcrypto: \(text)"
    }
  }
}
