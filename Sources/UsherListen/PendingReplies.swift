// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes
import Systemd

/// The requests that one program has, and the attribution of its output lines to them.
///
/// It is used on the thread of the loop on which its timers fire.
struct PendingReplies {
  /// A request whose reply is pending.
  struct Entry {
    let request: SceneRequest
    let reply: CheckedContinuation<Reply, any Error>
    /// A Boolean value that is `true` after the program was notified that the caller has cancelled the request.
    var isWithdrawn = false
    fileprivate var timer: LoopTimer?
  }

  /// A Boolean value that is `true` if the program has only one request in its life, so that lines need not name it.
  let isForOne: Bool
  private let loop: EventLoop
  private let timeout: Duration
  private let onLate: (String) -> Void
  private var entries: [String: Entry] = [:]
  /// The IDs, in the order of the requests.
  private(set) var ids: [String] = []
  /// The last line of the program that was not for a caller, for the error of a timeout; `nil` after a second request.
  ///
  /// It may contain the link of an earlier request, whose caller is another one.
  private(set) var said: String?
  private var count = 0

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - timeout: The longest time without a reply and without progress.
  ///   - onLate: Receives the ID of a request when that time has passed; called on the loop's thread.
  init(on loop: EventLoop, isForOne: Bool, timeout: Duration, onLate: @escaping (String) -> Void) {
    (self.loop, self.isForOne, self.timeout, self.onLate) = (loop, isForOne, timeout, onLate)
  }

  var isEmpty: Bool { ids.isEmpty }

  /// Adds a request.
  mutating func add(_ request: SceneRequest, _ reply: CheckedContinuation<Reply, any Error>) {
    entries[request.requestID] = Entry(request: request, reply: reply)
    ids.append(request.requestID)
    count += 1
    said = nil
    restartTimer(request.requestID)
  }

  /// Marks a request as cancelled; returns `false` if it is answered already.
  mutating func withdraw(_ id: String) -> Bool {
    guard entries[id]?.isWithdrawn == false else { return false }
    entries[id]?.isWithdrawn = true
    return true
  }

  /// Records text that is no reply.
  mutating func say(_ words: String) { said = count == 1 ? words : nil }

  /// Answers the request that a line names, or reports its progress.
  ///
  /// A line for a request that is answered already, invalid progress and progress that names no request are ignored.
  /// - Throws: `ListenError` if the line names no request, so that it cannot be attributed.
  mutating func apply(_ line: ReplyLine) throws(ListenError) {
    switch line {
    case .other(let words): say(words)
    case .progress(.success(let progress), of: let id):
      guard id != nil || isForOne else {
        return StandardError.warn(
          "a progress report of the program was ignored: request-id: the key is missing; "
            + "write the request's ID into it, as in {\"request-id\": …, \"progress\": …}")
      }
      guard let id = id ?? onlyID, let entry = entries[id] else { return }
      entry.request.report(progress)
      restartTimer(id)
    case .progress(.failure(let error), _):
      StandardError.warn("a progress report of the program was ignored: \(error)")
    case .withdrawn(let id):
      guard let id = try attributed(id), let entry = entries[id] else { return }
      finish(
        id,
        .failure(
          entry.isWithdrawn
            ? CancellationError()
            : ListenError.failed(
              "the program replied “withdrawn” to a request of which it had received no cancellation; reply with “handled” or “error” instead"
            )))
    case .reply(let reply, to: let id):
      guard let id = try attributed(id) else { return }
      finish(id, reply.mapError { ListenError.invalidReply($0) })
    }
  }

  /// Answers a request; has no effect if it is answered already.
  mutating func finish(_ id: String, _ result: Result<Reply, any Error>) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    ids.removeAll { $0 == id }
    entry.timer?.cancel()
    if isEmpty { said = nil }
    entry.reply.resume(with: result)
  }

  /// Answers all requests.
  mutating func finishAll(_ error: any Error) { for id in ids { finish(id, .failure(error)) } }

  private var onlyID: String? { isForOne ? ids.first : nil }

  /// Returns the request of a line that has the ID `id`; `nil` if the program has answered its only request.
  private func attributed(_ id: String?) throws(ListenError) -> String? {
    guard id == nil, !isForOne else { return id ?? onlyID }
    throw .unattributed(nil)
  }

  private mutating func restartTimer(_ id: String) {
    entries[id]?.timer?.cancel()
    entries[id]?.timer = LoopTimer(on: loop, after: timeout) { [onLate] in onLate(id) }
  }
}

extension Result where Failure == MessageError {
  /// Returns the result with another type of error.
  fileprivate func mapError(_ body: (MessageError) -> ListenError) -> Result<Success, any Error> {
    mapError { body($0) as any Error }
  }
}
