// SPDX-License-Identifier: Apache-2.0
import Testing
import Triggers
@testable import TriggerService

/// The changes of a download by its attempts, without files and curl.
@Suite struct `An attempt of a download` {
  private static let begin = WallTime(milliseconds: 1_000_000)
  private static let failure = DownloadFailure(.connection, "the server is silent")

  private let download: Download

  init() throws {
    download = Download(
      id: "1", application: "org.example.Atlas", identifier: "alps",
      request: DownloadRequest(url: try #require(DownloadURL("https://example.org/alps.zip"))),
      file: DownloadFile(path: "/alps.zip", replaces: false), date: Self.begin, isOfUser: false)
  }

  private static func later(_ milliseconds: Int64) -> WallTime {
    WallTime(milliseconds: begin.milliseconds + milliseconds)
  }

  private static func failure(of download: Download) -> DownloadFailure? {
    if case .failed(let failure) = download.phase { failure } else { nil }
  }

  /// Returns an attempt that was interrupted after `count` of 1,000 bytes.
  private static func interrupted(after count: Int64) -> TransferAttempt {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nETag: \"a\"\r\n\r\n"
    return TransferAttempt(
      start: PartialFile(), end: .exited(18), dump: Array(head.utf8), size: count, limit: nil)
  }

  @Test func `is followed by the next one, sooner after progress`() {
    var download = download
    #expect(download.retry(after: Self.failure, at: Self.later(1)) == 1)
    #expect(download.retry(after: Self.failure, at: Self.later(2)) == 2)
    #expect(download.failures == 2 && download.progressDate == Self.begin)
    #expect(download.end(Self.interrupted(after: 400), at: Self.later(3)) == 1)
    #expect(download.failures == 0 && download.progressDate == Self.later(3) && download.part.count == 400)
  }

  @Test func `does not extend the seven days if the clock was set back`() {
    var download = download
    _ = download.retry(after: Self.failure, at: Self.later(-500))
    #expect(download.progressDate == Self.later(-500))
  }

  @Test func `is the last one after seven days and ten attempts without progress`() {
    var download = download
    for number in 1..<DownloadLimits.leastAttempts {
      #expect(
        download.retry(after: Self.failure, at: Self.later(DownloadLimits.giveUpTime)) != nil, "\(number)")
    }
    #expect(download.retry(after: Self.failure, at: Self.later(DownloadLimits.giveUpTime - 1)) != nil)
    #expect(download.retry(after: Self.failure, at: Self.later(DownloadLimits.giveUpTime)) == nil)
    #expect(Self.failure(of: download)?.description.contains("seven days") == true, "\(download.phase)")
  }

  @Test func `is the last one if the file was begun again too often`() {
    var download = download
    for _ in 0..<DownloadLimits.restarts {
      #expect(download.restart(after: Self.failure, isCounted: true, at: Self.begin) != nil)
    }
    #expect(download.restart(after: Self.failure, isCounted: true, at: Self.begin) == nil)
    #expect(Self.failure(of: download)?.kind == .changed, "\(download.phase)")
  }

  @Test func `of a paused download keeps what was received, and is not counted`() {
    var download = download
    download.isPaused = true
    #expect(download.end(Self.interrupted(after: 400), at: Self.later(1)) == nil)
    #expect(download.part.count == 400 && download.failures == 0 && download.phase == .transferring)
  }

  @Test func `does not replace a cancellation`() {
    var download = download
    download.phase = .cancelled(byUser: true)
    #expect(download.end(Self.interrupted(after: 400), at: Self.later(1)) == nil)
    #expect(download.retry(after: Self.failure, at: Self.later(1)) == nil)
    // A resumed transfer of which the server does not know the part.
    let unknown = TransferAttempt(start: PartialFile(), end: .exited(33), dump: [], size: 0, limit: nil)
    for _ in 0...DownloadLimits.restarts { #expect(download.end(unknown, at: Self.later(1)) == nil) }
    #expect(download.phase == .cancelled(byUser: true))
  }
}
