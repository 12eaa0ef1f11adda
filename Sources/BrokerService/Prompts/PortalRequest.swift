// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Systemd

/// A request to a backend of the desktop portal, which shows a dialog until it is answered or closed.
struct PortalRequest: Sendable {
  /// The path of the object that every backend exports.
  static let path: ObjectPath = "/org/freedesktop/portal/desktop"

  private static let close = BusMethod<Arguments<>, Arguments<>>(
    "Close", of: "org.freedesktop.impl.portal.Request")

  /// The path of the request's own object.
  let handle: ObjectPath

  /// Creates a request with a unique path.
  init?() {
    let token = RequestID.random().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    guard let handle = ObjectPath("/org/freedesktop/portal/desktop/request/usher/\(token)") else {
      return nil
    }
    self.handle = handle
  }

  /// Returns the result of `call`, which is cancelled when `closing` is fulfilled, and closes a dialog that has no answer then.
  func result(
    on bus: BusConnection, backend: BusName, until closing: Promise<Void>,
    of call: @escaping @Sendable () async -> PromptResult
  ) async -> PromptResult {
    let answer = bus.loop.start { await call() }
    bus.loop.start {
      await closing.value
      answer.cancel()
    }
    let result = await answer.value
    if result == .late { await close(on: bus, backend: backend) }
    return result
  }

  /// Closes the dialog of the backend with a connection.
  private func close(on bus: BusConnection, backend: BusName) async {
    _ = try? await bus.call(
      Self.close, at: RemoteObject(backend, handle), timeout: .seconds(2), autoStart: false)
  }
}
