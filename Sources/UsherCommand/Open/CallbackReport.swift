// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// The report of an answer to `usher open --callback`.
struct CallbackReport {
  let answer: XCallbackAnswer
  let requestID: String

  /// The exit status: 0 for success, 6 for an error, 9 for a cancellation by the user.
  var exitStatus: Int32 {
    switch answer {
    case .success: 0
    case .error: BrokerErrorName.targetFailed.exitStatus
    case .cancel: BrokerErrorName.cancelled.exitStatus
    }
  }

  /// One JSON object; if a name occurs twice, it contains the first value.
  var json: String {
    var entries: [String: Variant] = [
      "answer": .string(answer.kind.rawValue), "request-id": .string(requestID),
    ]
    switch answer {
    case .success(let values):
      let first = Dictionary(values.map { ($0.name, Variant.string($0.value)) }) { first, _ in first }
      entries["values"] = .dictionary(first)
    case .error(let code, let message):
      entries["error-code"] = code.map(Variant.string)
      entries["error-message"] = message.map(Variant.string)
    case .cancel: break
    }
    return JSONText.line(entries)
  }

  /// Prints a line for each value, or the reason why there is none.
  func print() {
    switch answer {
    case .success(let values): for value in values { Console.print("\(value.name): \(value.value)") }
    case .error(let code, let message):
      let code = code.map { " (\($0))" } ?? ""
      Console.warn((message ?? "the application answered with an error") + code)
    case .cancel: Console.warn("the user cancelled it in the application")
    }
  }
}
