// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
package import Triggers

/// A service that receives files for one application.
package protocol DownloadTransferring: Sendable {
  /// Stores a download.
  nonisolated(nonsending) func add(_ request: DownloadRequest) async throws(SceneError) -> DownloadTask
  /// Returns the downloads that are not finished.
  nonisolated(nonsending) func downloads() async throws(SceneError) -> [DownloadTask]
  /// Cancels downloads.
  nonisolated(nonsending) func cancelDownloads(_ identifiers: [String]) async throws(SceneError)
  /// Stops transfers until they are resumed.
  nonisolated(nonsending) func suspendDownloads(_ identifiers: [String]) async throws(SceneError)
  /// Resumes transfers.
  nonisolated(nonsending) func resumeDownloads(_ identifiers: [String]) async throws(SceneError)
  /// Returns the progress from now on.
  nonisolated(nonsending) func downloadProgress() async throws(SceneError) -> AsyncStream<DownloadProgress>
}

/// The calls for downloads, of `DownloadTransferring`.
extension TriggersClient {
  private typealias Interface = TriggersInterface

  nonisolated(nonsending) func add(_ request: DownloadRequest) async throws(SceneError) -> DownloadTask {
    let stored = try await call(
      Interface.addDownload, application, request.entries, as: SceneError.downloadsFailed)
    return DownloadTask(
      identifier: stored["identifier"]?.string ?? request.identifier ?? "",
      sessionIdentifier: request.session,
      file: stored["file"]?.string ?? request.file ?? "")
  }

  nonisolated(nonsending) func downloads() async throws(SceneError) -> [DownloadTask] {
    let stored = try await call(Interface.downloads, as: SceneError.downloadsFailed)
    // A caller that acts for the user sees the downloads of all applications.
    return stored.filter { $0["application"]?.string == application }.compactMap(DownloadTask.init)
  }

  nonisolated(nonsending) func cancelDownloads(_ identifiers: [String]) async throws(SceneError) {
    try await call(Interface.cancelDownloads, application, identifiers, as: SceneError.downloadsFailed)
  }

  nonisolated(nonsending) func suspendDownloads(_ identifiers: [String]) async throws(SceneError) {
    try await call(Interface.pauseDownloads, application, identifiers, as: SceneError.downloadsFailed)
  }

  nonisolated(nonsending) func resumeDownloads(_ identifiers: [String]) async throws(SceneError) {
    try await call(Interface.resumeDownloads, application, identifiers, as: SceneError.downloadsFailed)
  }

  nonisolated(nonsending) func downloadProgress() async throws(SceneError) -> AsyncStream<DownloadProgress> {
    let signals: AsyncStream<ReceivedSignal<String, [String: Variant]>>
    do throws(BusError) {
      signals = try await connection.signals(
        Interface.downloadProgress, from: Interface.busName, at: Interface.path)
    } catch { throw .downloadsFailed(error) }
    let (changes, continuation) = AsyncStream<DownloadProgress>.makeStream()
    let reading = Task {
      for await signal in signals {
        let (identifier, entries) = signal.values
        continuation.yield(DownloadProgress(identifier, entries))
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in reading.cancel() }
    return changes
  }
}
