import Freedesktop
import Systemd

/// Looks at files on threads of their own, so that a file system that hangs holds up nobody but who asks for it.
actor FileLooks {
  /// What tells the type of the file at a path; it may block for ever.
  typealias Look = @Sendable ([UInt8]) -> FileTypeOutcome

  /// How many may be under way: of a file system that hangs for good, no more threads than these stay behind.
  private static let most = 16

  private nonisolated let loop: EventLoop
  private let look: Look
  private let patience: Duration
  private var underWay = 0
  /// The loop it lives on.
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Looks by `look`, and waits for that as long as `patience`.
  init(on loop: EventLoop, patience: Duration, by look: @escaping Look) {
    self.loop = loop
    self.patience = patience
    self.look = look
  }

  /// What the files at `paths` are, all looked at together; `silent` for those of which nothing is known in time.
  func types(of paths: [[UInt8]]) async -> [[UInt8]: FileTypeOutcome] {
    let deadline = ContinuousClock.now + patience
    var types: [[UInt8]: FileTypeOutcome] = [:]
    let answers = Set(paths).map { ($0, ask($0)) }
    for (path, answer) in answers {
      let timer = Task { [loop] in
        try? await loop.sleep(for: max(deadline - .now, .zero))
        answer.end.finish()
      }
      types[path] = await answer.outcomes.first { _ in true } ?? .silent
      timer.cancel()
    }
    return types
  }

  /// An answer to come, or the end of waiting for it.
  private struct Answer {
    let outcomes: AsyncStream<FileTypeOutcome>
    let end: AsyncStream<FileTypeOutcome>.Continuation
  }

  private func ask(_ path: [UInt8]) -> Answer {
    let (outcomes, end) = AsyncStream<FileTypeOutcome>.makeStream()
    let look = look
    let isAsked =
      underWay < Self.most
      && OwnThread.run {
        end.yield(look(path))
        end.finish()
        Task { await self.ended() }
      }
    if isAsked { underWay += 1 } else { end.finish() }
    return Answer(outcomes: outcomes, end: end)
  }

  private func ended() { underWay -= 1 }
}
