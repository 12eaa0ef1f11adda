// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import State
import Systemd
import Triggers

/// The downloads that are not finished: it starts their transfers, and reports their outcomes.
///
/// Each step is stored before it is made, so that the next daemon continues after any of them.
@BrokerActor
final class Downloads {
  /// The programs and directories that downloads use.
  struct Dependencies: Sendable {
    /// Starts curl.
    var runner: CurlRunner
    /// The directory of the configurations and response headers.
    var directory: String
    /// `$XDG_DATA_HOME`, below which files without a chosen path are.
    var dataHome: String
    /// The time after which a server that sends nothing is given up, in seconds.
    var stall = DownloadLimits.stall
    /// Finds the running applications.
    var identification: SourceIdentification
  }

  private static let limits = ItemLimits(
    ofApplication: DownloadLimits.ofApplication, total: DownloadLimits.stored,
    own: { "has \($0) downloads" }, all: { "\($0) downloads are stored" }, remedy: "cancel")

  private let bus: BusConnection
  private let file: TriggerFile
  private let clock: TriggerClock
  private let sender: EventSender
  private let dependencies: Dependencies
  private let log: Logger
  private let atStep: (@Sendable () -> Void)?
  private let disks = ApplicationFileThreads()

  /// The downloads in the order in which they were stored.
  private var transfers: [Transfer] = []
  private var timer: LoopTimer?
  private var progressTimer: LoopTimer?
  private var progressChecks = 0
  /// The calls that create a download.
  private let additions: DownloadAdditions
  /// Called after a download was finished or paused.
  var finished: () -> Void = {}

  /// - Parameter atStep: Called immediately before and after each call of another program and each change of a file.
  init(
    on bus: BusConnection, file: TriggerFile, clock: TriggerClock, sender: EventSender,
    _ dependencies: Dependencies, log: Logger, atStep: (@Sendable () -> Void)?
  ) {
    self.bus = bus
    self.file = file
    self.clock = clock
    self.sender = sender
    self.dependencies = dependencies
    self.log = log
    self.atStep = atStep
    additions = DownloadAdditions(on: disks, dataHome: dependencies.dataHome)
  }

  /// A Boolean value that is `true` if nothing is transferred or waits for a transfer.
  var isIdle: Bool {
    additions.count() == 0
      && transfers.allSatisfy { $0.isIdle && $0.download.isPaused && $0.download.attempt == nil }
  }

  /// The IDs of the applications with downloads.
  var applications: Set<String> { Set(transfers.map(\.download.application)) }

  /// Reads what an earlier daemon has stored, and continues.
  func load() throws(BusError) {
    for stored in try file.use({ store throws(StateError) in try store.downloads() }) {
      guard let download = Download(stored) else {
        log.error("a stored download of \(stored.application) cannot be read")
        continue
      }
      // An earlier attempt to load may have ended after this.
      guard !transfers.contains(where: { $0.id == download.id }) else { continue }
      transfers.append(Transfer(download, received: download.part.count))
    }
    proceed()
  }

  // MARK: Calls

  /// Stores a download, and starts to transfer it.
  func add(
    _ request: DownloadRequest, of application: String, isOfUser: Bool
  ) async throws(BusError) -> [String: Variant] {
    guard dependencies.runner.executable != nil else {
      throw BusError(.notSupported, CurlRunner.missing.description)
    }
    try Self.limits.requireSpace(
      for: application,
      own: find(nil, of: application).count + additions.count(of: application),
      all: transfers.count + additions.count())
    let id = RequestID.random()
    additions.begin(id, of: application)
    defer {
      additions.end(id)
      finished()
    }
    let identifier = request.identifier ?? "download-\(id)"
    try requireNew(identifier, of: application)
    let (target, isNew) = try await additions.createFile(request, for: id) { path in
      transfers.contains { $0.download.file.path == path }
    }.get(as: BusError.init)
    // An empty partial file may be that of another download, or of another call, whose path leads to the same directory.
    guard
      isNew
        || additions.count() == 1 && !transfers.contains(where: { $0.download.file.inode == target.inode })
    else {
      throw BusError(DownloadAdditions.isWritten(target.path))
    }
    // Another call may have used the identifier meanwhile.
    do throws(BusError) {
      try requireNew(identifier, of: application)
      let download = Download(
        id: id, application: application, identifier: identifier, request: request, file: target,
        date: clock.now, isOfUser: isOfUser)
      try file.use { store throws(StateError) in try store.add(download.stored) }
      transfers.append(Transfer(download))
    } catch {
      await disks[application].run { target.removePart() }
      throw error
    }
    proceed()
    return ["identifier": .string(identifier), "file": .string(target.path)]
  }

  private func requireNew(_ identifier: String, of application: String) throws(BusError) {
    guard find([identifier], of: application).isEmpty else {
      throw BusError(
        .invalidRequest,
        "identifier: \(application) has a download “\(identifier)” that is not finished; cancel it first, or choose another identifier"
      )
    }
  }

  private func find(_ identifiers: [String]?, of application: String) -> [Transfer] {
    transfers.filter { transfer in
      transfer.download.application.isSpelt(like: application)
        && identifiers?.contains(transfer.download.identifier) ?? true
    }
  }

  /// Cancels downloads; one that is whole, and unknown identifiers are ignored.
  func cancel(_ identifiers: [String], of application: String, byUser: Bool) throws(BusError) {
    for transfer in find(identifiers, of: application) where transfer.download.phase == .transferring {
      try change(transfer) { $0.phase = .cancelled(byUser: byUser) }
      stop(transfer)
    }
    proceed()
  }

  /// Pauses downloads, or resumes them; unknown identifiers are ignored.
  func setPaused(_ isPaused: Bool, _ identifiers: [String], of application: String) throws(BusError) {
    for transfer in find(identifiers, of: application) where transfer.download.phase == .transferring {
      let now = clock.now
      try change(transfer) { download in
        download.isPaused = isPaused
        download.failures = 0
        download.progressDate = now
      }
      transfer.due = nil
      if isPaused { stop(transfer) }
    }
    proceed()
    finished()
  }

  /// Returns the downloads that a caller may see.
  func list(for visibility: CallerAccess.Visibility) -> [[String: Variant]] {
    transfers.filter { visibility.includes($0.download.application) }.map(\.entries)
  }

  /// Drops the downloads of an application that was removed, after they were removed from the file.
  func forgetAll(of application: String) {
    for transfer in find(nil, of: application) {
      transfer.download.phase = .cancelled(byUser: false)
      stop(transfer)
    }
    proceed()
  }

  private func stop(_ transfer: Transfer) {
    guard let run = transfer.run else { return }
    bus.loop.start { await run.stop() }
  }

  /// Changes a download after the change is stored.
  private func change(_ transfer: Transfer, _ body: (inout Download) -> Void) throws(BusError) {
    var download = transfer.download
    body(&download)
    try file.use { store throws(StateError) in
      try store.setProgress(download.progress, ofDownload: download.id)
    }
    transfer.download = download
  }

  /// Changes a download for which no caller waits; logs a failure, and makes the change in memory.
  @discardableResult
  private func record<Value>(_ transfer: Transfer, _ body: (inout Download) -> Value) -> Value {
    var download = transfer.download
    let value = body(&download)
    transfer.download = download
    file.attempt { store throws(StateError) in
      try store.setProgress(download.progress, ofDownload: download.id)
    }
    return value
  }

  /// Records the end of an attempt, and sets the time of the next one.
  ///
  /// - Parameter body: Returns the time to the next attempt, in seconds; `nil` if none follows.
  private func recordEnd(of transfer: Transfer, _ body: (inout Download) -> Int64?) {
    guard let delay = record(transfer, body) else { return }
    transfer.due = .now + .seconds(delay)
    let download = transfer.download
    log.info(
      "a download of \(download.application) is tried again in \(delay) seconds",
      metadata: [
        "url": "\(download.request.url.shown)", "reason": "\(download.lastFailure?.kind.rawValue ?? "")",
      ])
  }

  // MARK: Work

  /// Starts what can be started, and sets the timer for the next attempt.
  private func proceed() {
    timer?.cancel()
    timer = nil
    let now = ContinuousClock.now
    var next: ContinuousClock.Instant?
    for transfer in transfers where transfer.isIdle {
      let download = transfer.download
      guard !download.isPaused || download.attempt != nil || download.phase != .transferring else { continue }
      if let time = transfer.due, time > now {
        if next.map({ time < $0 }) ?? true { next = time }
        continue
      }
      guard download.phase != .transferring || download.attempt != nil || hasRoom(for: download) else {
        continue
      }
      transfer.activity = .working
      bus.loop.start { await self.work(on: transfer) }
    }
    guard let next else { return }
    timer = LoopTimer(on: bus.loop, after: next - now) { [weak self] in
      EventLoop.shared.start { self?.proceed() }
    }
  }

  /// Returns whether another transfer may run.
  private func hasRoom(for download: Download) -> Bool {
    let active = transfers.filter { !$0.isIdle }
    return active.count < DownloadLimits.transfers
      && active.count { $0.download.application.isSpelt(like: download.application) }
        < DownloadLimits.transfersOfApplication
  }

  private func work(on transfer: Transfer) async {
    transfer.due = nil
    if transfer.download.attempt != nil {
      // An earlier daemon has begun the attempt.
      if let run = await dependencies.runner.running(transfer.id) {
        await follow(transfer, run)
      } else {
        await judge(transfer, .unknown)
      }
    } else if transfer.download.mayTransfer {
      if transfer.download.part.isWhole {
        await check(transfer)
      } else if let run = await begin(transfer) {
        await follow(transfer, run)
      }
    }
    await finishIfDecided(transfer)
    transfer.activity = .idle
    proceed()
    finished()
  }

  /// Starts an attempt.
  private func begin(_ transfer: Transfer) async -> CurlRun? {
    let download = transfer.download
    let (files, stall) = (attemptFiles(of: download), dependencies.stall)
    atStep?()
    let opened = await disks[download.application].run { files.open(for: download, stall: stall) }
    atStep?()
    let attempt: AttemptFiles.Opened
    do throws(DownloadFailure) { attempt = try opened.get() } catch {
      recordEnd(of: transfer) { $0.retry(after: error, at: clock.now) }
      return nil
    }
    // It may have been cancelled or paused meanwhile.
    guard transfer.download.mayTransfer else { return nil }
    do throws(BusError) {
      try change(transfer) { $0.begin(attempt) }
    } catch {
      let failure = DownloadFailure(.disk, error.message)
      recordEnd(of: transfer) { $0.retry(after: failure, at: clock.now) }
      return nil
    }
    do throws(DownloadFailure) {
      atStep?()
      let run = try await dependencies.runner.start(
        download.id, of: download.application, attempt.files,
        limit: download.request.maxSize.map { max($0, Self.smallestLimit) })
      atStep?()
      return run
    } catch {
      recordEnd(of: transfer) { download in
        download.attempt = nil
        return download.retry(after: error, at: clock.now)
      }
      return nil
    }
  }

  private func attemptFiles(of download: Download) -> AttemptFiles {
    AttemptFiles(in: dependencies.directory, of: download.id)
  }

  /// The smallest limit of the kernel for the length of a file, which is also that of the response headers.
  private static let smallestLimit: Int64 = 4 << 20

  /// Waits for the end of a transfer.
  private func follow(_ transfer: Transfer, _ run: CurlRun) async {
    transfer.activity = .receiving(run)
    if !transfer.download.mayTransfer { stop(transfer) }
    startProgressTimer()
    let end = await run.end()
    transfer.activity = .working
    if transfers.allSatisfy({ $0.run == nil }) {
      progressTimer?.cancel()
      progressTimer = nil
    }
    await judge(transfer, end)
  }

  /// Decides what follows an attempt that has ended.
  private func judge(_ transfer: Transfer, _ end: TransferAttempt.End) async {
    let download = transfer.download
    guard let (start, bootID) = download.attempt else { return }
    let (target, files) = (download.file, attemptFiles(of: download))
    let (size, dump) = await disks[download.application].run {
      (target.size(synchronizing: true) ?? 0, files.headers())
    }
    transfer.received = size
    guard bootID == BootClock.bootID else {
      // After a crash of the machine, only what was written to the disk before is certain.
      return record(transfer) { download in
        download.part.count = min(download.part.count, size)
        download.attempt = nil
      }
    }
    let attempt = TransferAttempt(
      start: start, end: end, dump: dump, size: size, limit: download.request.maxSize)
    recordEnd(of: transfer) { $0.end(attempt, at: clock.now) }
    if transfer.download.phase == .transferring, transfer.download.part.isWhole { await check(transfer) }
  }

  /// Checks a whole file.
  private func check(_ transfer: Transfer) async {
    let download = transfer.download
    let (target, count, sum) = (download.file, download.part.count, download.request.sha256)
    let result = await disks[download.application].run { target.check(count: count, sha256: sum) }
    guard transfer.download.phase == .transferring else { return }
    switch result {
    case .success: record(transfer) { $0.phase = .completing }
    case .failure(let failure) where failure.kind == .checksum:
      record(transfer) { $0.phase = .failed(failure) }
    case .failure(let failure):
      recordEnd(of: transfer) { $0.restart(after: failure, isCounted: true, at: clock.now) }
    }
  }

  /// Completes a download whose outcome is decided: the file gets its name or is removed, and the outcome is reported to the application.
  private func finishIfDecided(_ transfer: Transfer) async {
    var download = transfer.download
    guard download.phase != .transferring else { return }
    let (target, files) = (download.file, attemptFiles(of: download))
    let disk = disks[download.application]
    if download.phase == .completing {
      atStep?()
      let result = await disk.run { target.finish() }
      atStep?()
      if case .failure(let failure) = result {
        record(transfer) {
          $0.phase = .failed(
            DownloadFailure(failure.kind, "\(failure.description); the whole file is \(target.partPath)"))
        }
        download = transfer.download
      }
    }
    if download.removesPart {
      atStep?()
      await disk.run { target.removePart() }
      atStep?()
    }
    await disk.run { files.remove() }
    let event = download.event(at: clock.now)
    guard file.attempt({ store throws(StateError) in try store.finish(download: transfer.id, event) })
    else {
      transfer.due = .now + .seconds(60)
      return
    }
    transfers.removeAll { $0 === transfer }
    log.info(
      "a download of \(download.application) has finished",
      metadata: ["url": "\(download.request.url.shown)", "outcome": "\(download.outcome?.name ?? "none")"])
    if let event { sender.send(event) }
  }

  // MARK: Progress

  /// The time between two checks of the files while something is transferred.
  private static let progressInterval = Duration.seconds(1)
  /// The number of checks after which what was received is written to the disk.
  private static let checksOfCheckpoint = 5

  private func startProgressTimer() {
    guard progressTimer == nil else { return }
    progressTimer = LoopTimer(on: bus.loop, after: Self.progressInterval) { [weak self] in
      EventLoop.shared.start {
        guard let self else { return }
        self.progressTimer = nil
        self.checkProgress()
        if self.transfers.contains(where: { $0.run != nil }) { self.startProgressTimer() }
      }
    }
  }

  /// Checks the files of all transfers, except those of which an earlier check has not ended.
  private func checkProgress() {
    progressChecks += 1
    let isCheckpoint = progressChecks % Self.checksOfCheckpoint == 0
    for transfer in transfers where transfer.run != nil && !transfer.isBeingChecked {
      transfer.isBeingChecked = true
      bus.loop.start {
        await self.checkProgress(of: transfer, isCheckpoint: isCheckpoint)
        transfer.isBeingChecked = false
      }
    }
  }

  /// Reports the progress of a transfer, and ends one that cannot succeed.
  private func checkProgress(of transfer: Transfer, isCheckpoint: Bool) async {
    let download = transfer.download
    guard let (start, _) = download.attempt else { return }
    let (target, files) = (download.file, attemptFiles(of: download))
    let (size, dump) = await disks[download.application].run {
      (target.size(synchronizing: isCheckpoint), files.headers())
    }
    // The transfer may have ended meanwhile.
    guard let size, transfer.run != nil, transfer.download.attempt != nil else { return }
    let hasGrown = size != transfer.received
    transfer.received = size
    let attempt = TransferAttempt(
      start: start, end: .running, dump: dump, size: size, limit: download.request.maxSize)
    switch attempt.verdict {
    case .restart, .fail:
      // What follows is decided after its end.
      stop(transfer)
    case .whole(let part), .proceed(let part, _):
      if isCheckpoint, part != transfer.download.part {
        record(transfer) { $0.part = part }
      } else {
        transfer.download.part.total = part.total
      }
      if hasGrown { await report(transfer.download, size) }
    }
  }

  /// Sends the progress to the application alone, if it runs.
  private func report(_ download: Download, _ size: Int64) async {
    guard let application = ApplicationID(rawValue: download.application),
      let owner = await dependencies.identification.instance(of: application)
    else { return }
    var entries: [String: Variant] = ["received": .uint64(UInt64(clamping: size))]
    entries["total"] = download.part.total.map { .uint64(UInt64(clamping: $0)) }
    entries["session-identifier"] = download.request.session.map(Variant.string)
    try? await bus.emit(
      TriggersInterface.downloadProgress, from: TriggersInterface.path, to: owner, download.identifier,
      entries)
  }
}
