// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// A download that is not finished, at the time of a call, corresponding to `URLSessionDownloadTask`.
public struct DownloadTask: Hashable, Sendable {
  /// The state of a download.
  public enum State: String, Hashable, Sendable {
    /// It waits for its turn, or for its next attempt.
    case waiting
    /// The file is received.
    case running = "transferring"
    /// No attempt is made until it is resumed.
    case suspended = "paused"
    /// Its outcome is decided, and the application is about to receive it.
    case completing = "finishing"
  }

  /// The identifier of the download in the application.
  public let identifier: String
  /// The identifier of the session to which it belongs; `nil` if it belongs to none.
  public let sessionIdentifier: String?
  /// The absolute path that the file has when it is whole.
  public let file: String
  /// The state.
  public let state: State
  /// The number of received bytes.
  public let countOfBytesReceived: Int64
  /// The length of the file; `nil` if the server has not stated it.
  public let countOfBytesExpectedToReceive: Int64?
  /// The reason why the last attempt ended, as a sentence for the user; `nil` while the file is received, and without an attempt.
  public let error: String?

  package init(
    identifier: String, sessionIdentifier: String?, file: String, state: State = .waiting,
    received: Int64 = 0,
    expected: Int64? = nil, error: String? = nil
  ) {
    self.identifier = identifier
    self.sessionIdentifier = sessionIdentifier
    self.file = file
    self.state = state
    countOfBytesReceived = received
    countOfBytesExpectedToReceive = expected
    self.error = error
  }

  /// Reads an element of the reply of `Downloads`; `nil` if it lacks a value.
  init?(_ entries: [String: Variant]) {
    guard let identifier = entries["identifier"]?.string, let file = entries["file"]?.string else {
      return nil
    }
    self.init(
      identifier: identifier, sessionIdentifier: entries["session-identifier"]?.string, file: file,
      state: entries["state"]?.string.flatMap(State.init) ?? .waiting,
      received: entries["received"]?.integer ?? 0, expected: entries["total"]?.integer,
      error: entries["error"]?.string)
  }
}

/// The progress of a download of the running application.
public struct DownloadProgress: Hashable, Sendable {
  /// The identifier of the download in the application.
  public let identifier: String
  /// The identifier of the session to which it belongs; `nil` if it belongs to none.
  public let sessionIdentifier: String?
  /// The number of received bytes.
  public let countOfBytesReceived: Int64
  /// The length of the file; `nil` if the server has not stated it.
  public let countOfBytesExpectedToReceive: Int64?

  package init(identifier: String, sessionIdentifier: String?, received: Int64, expected: Int64?) {
    self.identifier = identifier
    self.sessionIdentifier = sessionIdentifier
    countOfBytesReceived = received
    countOfBytesExpectedToReceive = expected
  }

  /// Reads the arguments of the signal `DownloadProgress`.
  init(_ identifier: String, _ entries: [String: Variant]) {
    self.init(
      identifier: identifier, sessionIdentifier: entries["session-identifier"]?.string,
      received: entries["received"]?.integer ?? 0, expected: entries["total"]?.integer)
  }
}
