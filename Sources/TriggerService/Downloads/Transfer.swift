// SPDX-License-Identifier: Apache-2.0
import BrokerService
import DBus
import Triggers

/// A download that is not finished, with the work on it in this process.
@BrokerActor
final class Transfer {
  /// The work on a download.
  enum Activity {
    /// No task works on it.
    case idle
    /// A task prepares an attempt, decides what follows one, or finishes the download.
    case working
    /// A task waits for the end of curl.
    case receiving(CurlRun)
  }

  /// The download, which is stored.
  var download: Download
  /// The work on it.
  var activity = Activity.idle
  /// The length of the partial file when it was last read; `nil` if it has not been read.
  var received: Int64?
  /// The time before which no attempt is made.
  var due: ContinuousClock.Instant?
  /// A Boolean value that is `true` while a task checks its progress.
  var isBeingChecked = false

  init(_ download: Download, received: Int64? = nil) {
    self.download = download
    self.received = received
  }

  /// The ID of the download.
  var id: String { download.id }

  /// A Boolean value that is `true` if no task works on it.
  var isIdle: Bool { if case .idle = activity { true } else { false } }

  /// The curl that runs; `nil` if none runs.
  var run: CurlRun? { if case .receiving(let run) = activity { run } else { nil } }

  /// The entries of `Downloads`.
  var entries: [String: Variant] {
    download.entries(received: received ?? download.part.count, isActive: run != nil)
  }
}
