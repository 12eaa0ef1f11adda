// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import RouteTables
import State
import Triggers

/// A download that is not finished.
struct Download: Sendable {
  /// The next step of a download.
  enum Phase: Hashable, Sendable {
    /// The file is received, or waits for it.
    case transferring
    /// The file is whole, and gets its name.
    case completing
    /// No attempt can succeed.
    case failed(DownloadFailure)
    /// It was cancelled; the application receives a report if the user has done it.
    case cancelled(byUser: Bool)
  }

  /// Its unique ID, which is a part of unit and file names.
  let id: String
  /// The application, by desktop-file ID.
  let application: String
  /// Its identifier in the application.
  let identifier: String
  /// The request.
  let request: DownloadRequest
  /// The file.
  var file: DownloadFile
  /// The time at which it was stored.
  let date: WallTime
  /// A Boolean value that is `true` if the user created it, and not the application.
  let isOfUser: Bool

  /// The next step.
  var phase = Phase.transferring
  /// A Boolean value that is `true` if no attempt is made until the download is resumed.
  var isPaused = false
  /// The part that is certainly received.
  var part = PartialFile()
  /// The part at the beginning of the last attempt, and the boot in which that was made; `nil` after its end.
  var attempt: (start: PartialFile, bootID: String)?
  /// The number of attempts without progress.
  var failures = 0
  /// The number of times that the file was begun again.
  var restarts = 0
  /// The time of the last progress.
  var progressDate: WallTime
  /// The reason why the last attempt ended.
  var lastFailure: DownloadFailure?

  init(
    id: String, application: String, identifier: String, request: DownloadRequest, file: DownloadFile,
    date: WallTime, isOfUser: Bool
  ) {
    self.id = id
    self.application = application
    self.identifier = identifier
    self.request = request
    self.file = file
    self.date = date
    self.isOfUser = isOfUser
    progressDate = date
  }

  // MARK: Storage

  /// Reads a stored download; `nil` if another version of Usher has stored it in another form.
  init?(_ stored: StoredDownload) {
    guard let content = try? PropertyList(json: stored.request), let request = try? DownloadRequest(content),
      let path = request.file, let progress = try? PropertyList(json: stored.progress)
    else { return nil }
    self.init(
      id: stored.id, application: stored.application, identifier: stored.identifier, request: request,
      file: DownloadFile(path: path, replaces: request.replaces), date: WallTime(milliseconds: stored.date),
      isOfUser: stored.isOfUser)
    file.inode = progress["inode"]?.integer.map(UInt64.init(bitPattern:))
    isPaused = progress["paused"]?.boolean ?? false
    part = PartialFile(progress["part"])
    if let start = progress["start"], let bootID = progress["boot"]?.string {
      attempt = (PartialFile(start), bootID)
    }
    failures = Int(progress["failures"]?.integer ?? 0)
    restarts = Int(progress["restarts"]?.integer ?? 0)
    progressDate = WallTime(milliseconds: progress["progress-date"]?.integer ?? stored.date)
    let kind = progress["failure-kind"]?.string.flatMap(DownloadFailure.Kind.init)
    let failure = kind.map { DownloadFailure($0, progress["failure"]?.string ?? "") }
    lastFailure = failure
    switch progress["phase"]?.string {
    case "completing": phase = .completing
    case "failed": if let failure { phase = .failed(failure) }
    case "cancelled": phase = .cancelled(byUser: progress["by-user"]?.boolean ?? false)
    default: break
    }
  }

  /// The progress, as JSON.
  var progress: String {
    var entries: [String: PropertyList] = [
      "part": part.propertyList, "failures": .integer(Int64(failures)), "restarts": .integer(Int64(restarts)),
      "progress-date": .integer(progressDate.milliseconds),
    ]
    entries["inode"] = file.inode.map { .integer(Int64(bitPattern: $0)) }
    if isPaused { entries["paused"] = true }
    if let attempt {
      entries["start"] = attempt.start.propertyList
      entries["boot"] = .string(attempt.bootID)
    }
    var failure = lastFailure
    switch phase {
    case .transferring: break
    case .completing: entries["phase"] = "completing"
    case .failed(let reason):
      entries["phase"] = "failed"
      failure = reason
    case .cancelled(let byUser):
      entries["phase"] = "cancelled"
      entries["by-user"] = .boolean(byUser)
    }
    if let failure {
      entries["failure-kind"] = .string(failure.kind.rawValue)
      entries["failure"] = .string(failure.description)
    }
    return PropertyList.dictionary(entries).json
  }

  /// Indicates whether an attempt may be made.
  var mayTransfer: Bool { phase == .transferring && !isPaused }

  /// The request with the chosen identifier and path.
  private var complete: DownloadRequest {
    var complete = request
    complete.file = file.path
    complete.identifier = identifier
    return complete
  }

  /// The stored form.
  var stored: StoredDownload {
    StoredDownload(
      id: id, application: application, identifier: identifier, request: complete.propertyList.json,
      progress: progress, date: date.milliseconds, isOfUser: isOfUser)
  }

  // MARK: Reports

  /// The outcome; `nil` while the download is not finished.
  var outcome: DownloadOutcome? {
    switch phase {
    case .transferring: nil
    case .completing: .completed(size: part.count)
    case .failed(let failure): .failed(failure)
    case .cancelled: .cancelled
    }
  }

  /// Indicates whether the partial file is removed: a whole file that cannot get its name remains, unless it is not the wanted one.
  var removesPart: Bool {
    switch phase {
    case .transferring, .completing: false
    case .failed(let failure): !part.isWhole || failure.kind == .checksum || failure.kind == .tooLarge
    case .cancelled: true
    }
  }

  /// The event that reports the outcome to the application; `nil` if the application is not to receive any.
  func event(at now: WallTime) -> StoredEvent? {
    guard let outcome, phase != .cancelled(byUser: false) else { return nil }
    let content: PropertyList = [
      "reason": .string(LaunchReason.newsstandDownloads.rawValue),
      "payload": outcome.payload(of: complete, date: now),
    ]
    return StoredEvent(id: "download-\(id)", application: application, content: content.json)
  }

  /// The entries of `Downloads`.
  ///
  /// - Parameters:
  ///   - received: The number of received bytes.
  ///   - isActive: Whether curl runs.
  func entries(received: Int64, isActive: Bool) -> [String: Variant] {
    var entries: [String: Variant] = [
      "application": .string(application), "identifier": .string(identifier),
      "url": .string(request.url.shown), "file": .string(file.path), "date": .int64(date.milliseconds),
      "received": .uint64(UInt64(clamping: received)), "state": .string(state(isActive: isActive)),
    ]
    entries["session-identifier"] = request.session.map(Variant.string)
    entries["total"] = part.total.map { .uint64(UInt64(clamping: $0)) }
    if !isActive, !isPaused { entries["error"] = lastFailure.map { .string($0.description) } }
    return entries
  }

  private func state(isActive: Bool) -> String {
    switch phase {
    case .transferring: isActive ? "transferring" : isPaused ? "paused" : "waiting"
    case .completing, .failed, .cancelled: "finishing"
    }
  }
}

extension PartialFile {
  init(_ value: PropertyList?) {
    self.init()
    count = value?["count"]?.integer ?? 0
    total = value?["total"]?.integer
    validator = value?["validator"]?.string
  }

  var propertyList: PropertyList {
    var entries: [String: PropertyList] = ["count": .integer(count)]
    entries["total"] = total.map { .integer($0) }
    entries["validator"] = validator.map { .string($0) }
    return .dictionary(entries)
  }
}

extension DownloadURL {
  /// The URL in logs and lists, without secrets.
  var shown: String { (try? URLString(text))?.redacted ?? "a URL" }
}
