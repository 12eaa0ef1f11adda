import Freedesktop
import Systemd

/// Tells the types of files without being held up by a file system that hangs.
struct FileTypeProbe: Sendable {
  /// What tells the type of the file at a path; it may block for ever.
  typealias Look = @Sendable ([UInt8]) -> FileTypeOutcome

  private let looks: BlockingCallPool
  private let look: Look

  /// Looks by `look`, and waits for that as long as `timeout`.
  init(on loop: EventLoop, timeout: Duration, by look: @escaping Look) {
    looks = BlockingCallPool(on: loop, timeout: timeout)
    self.look = look
  }

  /// What the files at `paths` are, all looked at together; `silent` for those of which nothing is known in time.
  func types(of paths: [[UInt8]]) async -> [[UInt8]: FileTypeOutcome] {
    await withTaskGroup { group in
      for path in Set(paths) {
        group.addTask { (path, await looks.find { [look] in look(path) } ?? .silent) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}
