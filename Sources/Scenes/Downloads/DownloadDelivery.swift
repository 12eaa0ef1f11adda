// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

extension ApplicationDelegate {
  /// Delivers the outcome of a download; `false` if the request is another one, or if the delegate has no method for it.
  nonisolated(nonsending) func deliverDownload(
    _ request: SceneRequest, _ application: Application
  ) async throws -> Bool {
    guard let download = request.finishedDownload else { return false }
    do {
      try await self.application(application, didFinish: download)
      return true
    } catch is NotImplemented {
      return false
    }
  }
}
