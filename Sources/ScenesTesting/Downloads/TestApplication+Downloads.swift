// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import FoundationEssentials
public import Scenes
public import Triggers

/// An unfinished download of an application under test.
struct TestDownload: Hashable, Sendable {
  /// The request, with its identifier and file.
  var request: DownloadRequest
  var received: Int64 = 0
  var total: Int64?
  var isSuspended = false

  var identifier: String { request.identifier ?? "" }

  var task: DownloadTask {
    DownloadTask(
      identifier: identifier, sessionIdentifier: request.session, file: request.file ?? "",
      state: isSuspended ? .suspended : received > 0 ? .running : .waiting, received: received,
      expected: total)
  }
}

/// Downloads of an application under test.
///
/// ```swift
/// try await app.open("notes://map/7")                                   // the application calls downloads.add
/// #expect(app.pendingDownloads.map(\.identifier) == ["map"])
/// try await app.reportDownload("map", received: 1_000, total: 4_000)    // downloads.progress() has an element
/// try await app.finishDownload("map", file: "Fixtures/map.zip")         // the delegate receives didFinish
/// ```
/// No file is received or written. An application that does not run is launched, as `usher-triggers` does.
extension TestApplication {
  /// The requests of the downloads that are not finished, with their identifiers and files, in the order in which the application added
  /// them.
  public var pendingDownloads: [DownloadRequest] { board.update { $0.downloads.map(\.request) } }

  /// Reports that a download has received a part of its file.
  ///
  /// - Throws: `RequestFailure.failed` if no download with this identifier is pending.
  public func reportDownload(
    _ identifier: String, received: Int64, total: Int64? = nil
  ) throws(RequestFailure) {
    let isPending = board.update { state in
      guard let index = state.downloads.firstIndex(where: { $0.identifier == identifier }) else {
        return false
      }
      state.downloads[index].received = received
      state.downloads[index].total = total
      let session = state.downloads[index].request.session
      for follower in state.progressFollowers {
        follower.yield(
          DownloadProgress(
            identifier: identifier, sessionIdentifier: session, received: received, expected: total))
      }
      return true
    }
    guard isPending else { throw Self.noDownload(identifier) }
  }

  /// Completes a download, and returns the application's result.
  ///
  /// - Parameters:
  ///   - file: The path of a file that the test has prepared; `nil` for the path that the application knows.
  ///   - size: The length of the file in bytes.
  /// - Throws: `RequestFailure.failed` if no download with this identifier is pending, and the error of the application's code.
  @discardableResult
  public func finishDownload(
    _ identifier: String, file: String? = nil, size: Int64 = 0
  ) async throws(RequestFailure) -> SceneResult {
    var request = try takeDownload(identifier)
    request.file = file ?? request.file
    return try await deliver(.completed(size: size), of: request)
  }

  /// Makes a download fail, and returns the application's result.
  @discardableResult
  public func failDownload(
    _ identifier: String, _ failure: DownloadFailure
  ) async throws(RequestFailure) -> SceneResult {
    try await deliver(.failed(failure), of: try takeDownload(identifier))
  }

  /// Cancels a download, as the user does, and returns the application's result.
  @discardableResult
  public func cancelDownload(_ identifier: String) async throws(RequestFailure) -> SceneResult {
    try await deliver(.cancelled, of: try takeDownload(identifier))
  }

  private static func noDownload(_ identifier: String) -> RequestFailure {
    .failed("no download “\(identifier)” is pending")
  }

  private func takeDownload(_ identifier: String) throws(RequestFailure) -> DownloadRequest {
    let taken: DownloadRequest? = board.update { state in
      guard let index = state.downloads.firstIndex(where: { $0.identifier == identifier }) else { return nil }
      return state.downloads.remove(at: index).request
    }
    guard let taken else { throw Self.noDownload(identifier) }
    return taken
  }

  private func deliver(
    _ outcome: DownloadOutcome, of request: DownloadRequest
  ) async throws(RequestFailure) -> SceneResult {
    let date = WallTime(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
    return try await deliver(.reason(.newsstandDownloads, outcome.payload(of: request, date: date)))
  }
}

extension NotificationBoard {
  func add(_ request: DownloadRequest) async throws(SceneError) -> DownloadTask {
    // The request passes the checks of `usher-triggers`, so that a test notices a value that is not allowed.
    var checked: DownloadRequest
    do throws(MessageError) { checked = try DownloadRequest(request.propertyList) } catch {
      throw .downloadsFailed(BusError(error))
    }
    let directory = "/home/user/.local/share/\(dependencies.applicationID)/Downloads"
    checked.identifier = checked.identifier ?? "download-\(RequestID.random())"
    checked.file = checked.file ?? "\(directory)/\(checked.url.fileName)"
    let stored = TestDownload(request: checked)
    let refusal: BusError? = update { state in
      guard !state.downloads.contains(where: { $0.identifier == stored.identifier }) else {
        return BusError(
          .invalidRequest,
          "identifier: the application has a download “\(stored.identifier)” that is not finished"
        )
      }
      guard state.downloads.count < DownloadLimits.ofApplication else {
        return BusError(.tooMany, "the application has \(DownloadLimits.ofApplication) downloads")
      }
      state.downloads.append(stored)
      return nil
    }
    if let refusal { throw .downloadsFailed(refusal) }
    return stored.task
  }

  func downloads() async throws(SceneError) -> [DownloadTask] { update { $0.downloads.map(\.task) } }

  func cancelDownloads(_ identifiers: [String]) async throws(SceneError) {
    update { state in state.downloads.removeAll { identifiers.contains($0.identifier) } }
  }

  func suspendDownloads(_ identifiers: [String]) async throws(SceneError) { setSuspended(true, identifiers) }

  func resumeDownloads(_ identifiers: [String]) async throws(SceneError) { setSuspended(false, identifiers) }

  private func setSuspended(_ isSuspended: Bool, _ identifiers: [String]) {
    update { state in
      for index in state.downloads.indices where identifiers.contains(state.downloads[index].identifier) {
        state.downloads[index].isSuspended = isSuspended
      }
    }
  }

  func downloadProgress() async throws(SceneError) -> AsyncStream<DownloadProgress> {
    let (changes, continuation) = AsyncStream<DownloadProgress>.makeStream()
    update { $0.progressFollowers.append(continuation) }
    return changes
  }
}
