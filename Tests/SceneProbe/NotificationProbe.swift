// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scenes

/// The handling of notifications, pushes and locations, each of which is recorded by the name in its payload, or of its region.
///
/// A line of the record is `notified EVENT PROCESS REQUEST KIND NAME REDELIVERED`. With `die` in the payload, the application is
/// killed in the handler the first time that the user's response arrives: `before` or `after` the effect of the handler. So it is when
/// it enters a region with this identifier.
struct NotificationProbe {
  let log: ProbeLog

  /// Handles a request; `nil` if it is neither a notification, nor a push, nor an event of a region.
  func handle(_ request: SceneRequest) -> SceneResult? {
    guard [.localNotification, .remoteNotification, .location].contains(request.reason),
      let payload = request.payload
    else { return nil }
    let content = payload["user-info"] ?? payload
    let isBackground = payload["aps"]?["content-available"] != nil
    let isResponse = payload["action-identifier"] != nil
    let region = payload["region"]?["identifier"]?.string
    let kind = payload["event"]?.string ?? (isResponse ? "response" : isBackground ? "background" : "offer")
    let name = region ?? content["name"]?.string ?? "?"
    func record(_ event: String) {
      log.append(
        "notified \(event) \(getpid()) \(request.requestID) \(kind) \(name) \(request.isRedelivered)")
    }
    let isDeadly = !request.isRedelivered && (isResponse || kind == "enter-region")
    let death = isDeadly ? region ?? content["die"]?.string : nil
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
