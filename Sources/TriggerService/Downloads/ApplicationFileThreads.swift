// SPDX-License-Identifier: Apache-2.0
import BrokerService

/// The threads for the files of downloads, one for each application.
///
/// A disk that does not respond, or the checksum of a large file, delays the downloads of one application alone. Beyond a number of
/// applications, several of them share a thread, because a thread ends only with the process.
@BrokerActor
final class ApplicationFileThreads {
  /// The maximum number of threads.
  static let capacity = 16

  private var threads: [FileThread] = []
  private var assigned: [String: FileThread] = [:]
  /// The thread that is assigned next, after all exist.
  private var next = 0

  /// Returns the thread of an application, which is the same for all of its calls.
  subscript(application: String) -> FileThread {
    if let thread = assigned[application] { return thread }
    if threads.count < Self.capacity { threads.append(FileThread()) }
    let thread = threads[next]
    next = (next + 1) % Self.capacity
    assigned[application] = thread
    return thread
  }
}
