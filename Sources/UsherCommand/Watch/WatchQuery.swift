// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import Systemd

/// A question to the broker on a thread of its own, whose answer is read from a descriptor.
///
/// The broker may start slowly or not reply at all, while the user presses keys.
final class WatchQuery {
  /// A question.
  enum Question: Sendable {
    /// Connects a monitor after a pause. The answer has the descriptor of the stream as `descriptor`, or `message` and `status`.
    case monitor(after: Duration)
    /// Reads the history: one answer for each entry, and an empty one at the end.
    case history
    /// Explains a decision. The answer has the keys of `usher explain --json`.
    case decision(DecisionQuestion)
  }

  /// The descriptor that is readable when there are answers, or the end.
  let descriptor: Int32
  private var lines = LineBuffer()
  /// A Boolean value that indicates whether all answers were read.
  private(set) var isEnded = false

  /// Asks a question; `nil` if the process has no descriptor or thread left.
  init?(_ question: Question) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    let answers = Answers(descriptor: ends[1])
    guard
      DetachedThread.run({
        question.answer(to: answers)
        close(answers.descriptor)
      })
    else {
      for end in ends { close(end) }
      return nil
    }
    descriptor = ends[0]
  }

  deinit { close(descriptor) }

  /// Returns the answers that have arrived.
  func read() -> [[String: Variant]] {
    isEnded = !lines.read(descriptor)
    return lines.objects
  }
}

extension LineBuffer {
  /// Reads the bytes that a socket has, without waiting; returns `false` at its end.
  mutating func read(_ socket: Int32) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { bytes in
      let count = recv(socket, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
      if count > 0 { append(bytes[..<count]) }
      return count > 0 || count < 0 && (errno == EINTR || errno == EAGAIN)
    }
  }

  /// Removes and returns the complete lines, as JSON objects; others are dropped.
  var objects: [[String: Variant]] {
    mutating get {
      var objects: [[String: Variant]] = []
      while let line = next() {
        guard case .line(let bytes) = line,
          let object = try? [String: Variant](json: String(decoding: bytes, as: UTF8.self))
        else { continue }
        objects.append(object)
      }
      return objects
    }
  }
}

/// The end of a query at which answers are written.
private struct Answers: Sendable {
  let descriptor: Int32

  /// Writes an answer, unless the query was dropped.
  func write(_ answer: [String: Variant]) {
    var rest = ArraySlice((JSONText.line(answer) + "\n").utf8)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

extension WatchQuery.Question {
  fileprivate func answer(to answers: Answers) {
    switch self {
    case .monitor(let pause):
      usleep(useconds_t(clamping: pause.microseconds))
      do throws(BrokerConnection.Failure) {
        let stream = try BrokerConnection().ask { bus throws(BusError) in
          try bus.call(BrokerInterface.monitor, at: BrokerInterface.broker, [:])
        }
        answers.write(["descriptor": .int32(fcntl(stream.rawValue, F_DUPFD_CLOEXEC, 3))])
      } catch {
        let (error, status) = error.reported(onFailure: "cannot monitor requests")
        answers.write(["message": .string(error.message), "status": .int32(status)])
      }
    case .history:
      let entries = try? BrokerConnection().ask { bus throws(BusError) in
        try bus.history(limit: UInt32(WatchedRequests.maximum))
      }
      guard let entries else { return }
      for entry in entries { answers.write(entry) }
      answers.write([:])
    case .decision(let question): answers.write(question.answer)
    }
  }
}
