// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Launching
import Systemd

/// A probe for the MIME types of files that does not block on a file system that hangs.
struct FileTypeProbe: Sendable {
  /// Returns the MIME type of the file at a path; it may block forever.
  typealias Look = @Sendable ([UInt8]) -> FileTypeOutcome

  private let looks: BlockingCallPool
  private let look: Look

  /// Creates a probe that calls `look` and waits for at most `timeout`.
  init(on loop: EventLoop, timeout: Duration, by look: @escaping Look) {
    looks = BlockingCallPool(on: loop, timeout: timeout, capacity: BrokerLimits.maximumBlockingCalls)
    self.look = look
  }

  /// Returns the MIME types of the files at `paths`, probed concurrently; `silent` for files without a result in time.
  ///
  /// - Parameter caller: The caller whose share of the concurrent probes is used.
  func types(of paths: [[UInt8]], for caller: ChargedCaller) async -> [[UInt8]: FileTypeOutcome] {
    await withTaskGroup { group in
      for path in Set(paths) {
        group.addTask { (path, await looks.find(for: caller.text) { [look] in look(path) } ?? .silent) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}
