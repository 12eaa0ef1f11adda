// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
public import Triggers

/// A download that `usher-triggers` has finished for the application, as the payload of the reason `newsstand-downloads` describes it.
///
/// ```swift
/// func application(_ application: Application, didFinish download: FinishedDownload) async throws {
///   switch download.outcome {
///   case .completed: if let file = download.file { try importMap(from: file) }
///   case .failed: show(download.error)
///   case .cancelled: break
///   }
/// }
/// ```
public struct FinishedDownload: Hashable, Sendable {
  /// The outcome of a download.
  public enum Outcome: String, Hashable, Sendable {
    /// The file has arrived.
    case completed
    /// No attempt could succeed.
    case failed
    /// The user has cancelled it.
    case cancelled
  }

  /// The identifier of the download in the application.
  public let identifier: String
  /// The identifier of the session to which it belongs; `nil` if it belongs to none.
  public let sessionIdentifier: String?
  /// The outcome.
  public let outcome: Outcome
  /// The absolute path of the file, if it has arrived.
  public let file: String?
  /// The error as a sentence for the user, which names what to do, if it has failed.
  public let error: String?
  /// The kind of the error, if it has failed; `nil` also for a kind that this version does not know.
  public let errorKind: DownloadFailure.Kind?

  init?(_ request: SceneRequest) {
    guard request.reason == .newsstandDownloads, let payload = request.payload,
      let identifier = payload["identifier"]?.string,
      let outcome = payload["outcome"]?.string.flatMap(Outcome.init)
    else { return nil }
    self.identifier = identifier
    self.outcome = outcome
    sessionIdentifier = payload["session-identifier"]?.string
    file = payload["file"]?.string
    error = payload["error"]?.string
    errorKind = payload["error-kind"]?.string.flatMap(DownloadFailure.Kind.init)
  }
}

extension SceneRequest {
  /// The download that has finished, of a request of `usher-triggers` with the reason `newsstand-downloads`; otherwise `nil`.
  public var finishedDownload: FinishedDownload? { FinishedDownload(self) }
}
