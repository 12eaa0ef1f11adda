// SPDX-License-Identifier: Apache-2.0
import CSystemd

/// A change in a watched directory, as reported by the kernel.
public struct FileChange: Hashable, Sendable {
  /// The watched directory.
  public let directory: String
  /// The name of the changed item; `nil` if the directory itself changed.
  public let name: String?
}

extension EventLoop {
  /// Returns a stream of the changes in `directory`, such as written, created, moved and removed files, until its consumer stops.
  ///
  /// - Throws: `SystemdError` if the directory cannot be watched, for example because it does not exist.
  public func changes(in directory: String) async throws(SystemdError) -> AsyncStream<FileChange> {
    let (stream, continuation) = AsyncStream<FileChange>.makeStream()
    let mask = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
    let result: Result<EventSource, SystemdError> = await withCheckedContinuation { made in
      submit {
        do throws(SystemdError) {
          let source = try EventSource.changes(self, of: directory, mask: UInt32(mask)) { event in
            continuation.yield(FileChange(directory: directory, name: event.flatMap(entryName)))
          }
          made.resume(returning: .success(source))
        } catch {
          made.resume(returning: .failure(error))
        }
      }
    }
    let source = try result.get()
    continuation.onTermination = { _ in self.submit { source.cancel() } }
    return stream
  }
}

/// Returns the name after the fixed part of the event; `nil` if there is none.
func entryName(_ event: UnsafePointer<inotify_event>) -> String? {
  guard event.pointee.len > 0 else { return nil }
  let name = UnsafeRawPointer(event).advanced(by: MemoryLayout<inotify_event>.size)
  return String(cString: name.assumingMemoryBound(to: CChar.self))
}
