// SPDX-License-Identifier: Apache-2.0
public import Triggers

/// The downloads of the application in the background, corresponding to a `URLSession` with a background configuration.
///
/// `usher-triggers` receives the files, also after the application has exited, across lost connections and logouts, and starts the
/// application when a download has finished, failed or been cancelled by the user.
///
/// ```swift
/// guard let url = DownloadURL("https://example.org/map.zip") else { return }
/// var request = DownloadRequest(identifier: "map", url: url)
/// request.session = "maps"
/// let task = try await application.downloads.add(request)   // task.file is the path that the file will have
/// ```
/// The outcome arrives at the delegate: `application(_:didFinish:)`, or
/// `application(_:handleEventsForBackgroundURLSession:completionHandler:)` with the identifier of the session. An application with one
/// closure reads it from ``SceneRequest/finishedDownload``.
///
/// All methods throw ``SceneError/downloadsFailed(_:)`` if `usher-triggers` rejects the call or does not run.
public struct BackgroundDownloads: Sendable {
  private let service: any DownloadTransferring

  init(_ service: any DownloadTransferring) { self.service = service }

  /// Adds a download, and returns when it is stored; the transfer starts without another call.
  ///
  /// - Returns: The download with its identifier, which is random if the request names none, and the path of its file.
  /// - Throws: An error with ``SceneError/brokerError`` `invalidRequest` for values that `org.usher.Triggers1.xml` does not allow, and for an
  ///   identifier or a file that exists, and `tooMany` beyond 64 unfinished downloads.
  @discardableResult
  public nonisolated(nonsending) func add(_ request: DownloadRequest) async throws(SceneError) -> DownloadTask
  {
    try await service.add(request)
  }

  /// Returns the downloads that are not finished, in the order in which they were added.
  public nonisolated(nonsending) func allTasks() async throws(SceneError) -> [DownloadTask] {
    try await service.downloads()
  }

  /// Cancels downloads, and removes what was received; unknown identifiers are ignored.
  ///
  /// The application receives no outcome for them. A download whose file is whole is not affected.
  public nonisolated(nonsending) func cancel(withIdentifiers identifiers: [String]) async throws(SceneError) {
    try await service.cancelDownloads(identifiers)
  }

  /// Stops transfers until they are resumed; unknown identifiers are ignored.
  public nonisolated(nonsending) func suspend(withIdentifiers identifiers: [String]) async throws(SceneError)
  {
    try await service.suspendDownloads(identifiers)
  }

  /// Resumes transfers that are suspended, and starts the next attempt of others at once; unknown identifiers are ignored.
  public nonisolated(nonsending) func resume(withIdentifiers identifiers: [String]) async throws(SceneError) {
    try await service.resumeDownloads(identifiers)
  }

  /// Returns the progress of the application's downloads from now on: at most one element a second for each, while its file grows.
  public nonisolated(nonsending) func progress() async throws(SceneError) -> AsyncStream<DownloadProgress> {
    try await service.downloadProgress()
  }
}

extension Application {
  /// The downloads of the application in the background.
  public var downloads: BackgroundDownloads { BackgroundDownloads(triggers) }
}
