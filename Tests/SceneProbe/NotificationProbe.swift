// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scenes

/// The handling of notifications and pushes, each of which is recorded by the name in its payload.
///
/// A line of the record is `notified EVENT PROCESS REQUEST KIND NAME REDELIVERED`. With `die` in the payload, the application is
/// killed in the handler the first time that the user's response arrives: `before` or `after` the effect of the handler.
struct NotificationProbe {
  let log: ProbeLog

  /// Handles a request; `nil` if it is neither a notification nor a push.
  func handle(_ request: SceneRequest) -> SceneResult? {
    guard request.reason == .localNotification || request.reason == .remoteNotification,
      let payload = request.payload
    else { return nil }
    let content = payload["user-info"] ?? payload
    let isBackground = payload["aps"]?["content-available"] != nil
    let isResponse = payload["action-identifier"] != nil
    let kind = isResponse ? "response" : isBackground ? "background" : "offer"
    func record(_ event: String) {
      log.append(
        "notified \(event) \(getpid()) \(request.requestID) \(kind) \(content["name"]?.string ?? "?") \(request.isRedelivered)"
      )
    }
    let death = isResponse && !request.isRedelivered ? content["die"]?.string : nil
    record("begin")
    if death == "before" { die(record) }
    record("end")
    if death == "after" { die(record) }
    return .handled
  }

  private func die(_ record: (String) -> Void) {
    record("die")
    kill(getpid(), SIGKILL)
  }
}
