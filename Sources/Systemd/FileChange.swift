import CSystemd

/// One change that the kernel reported in a watched folder.
public struct FileChange: Hashable, Sendable {
  /// The folder that is watched.
  public let directory: String
  /// The entry that changed, or `nil` when the folder itself did.
  public let name: String?
}

extension EventLoop {
  /// What changes in `directory`: files written, made, moved, removed, until the stream's consumer ends.
  ///
  /// - Throws: `SystemdError` when the folder cannot be watched, as one that does not exist.
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

/// The name behind the event's fixed part, where it has one.
func entryName(_ event: UnsafePointer<inotify_event>) -> String? {
  guard event.pointee.len > 0 else { return nil }
  let name = UnsafeRawPointer(event).advanced(by: MemoryLayout<inotify_event>.size)
  return String(cString: name.assumingMemoryBound(to: CChar.self))
}
