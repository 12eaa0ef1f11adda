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
  private let sender: ResponseSender
  private let dependencies: Dependencies
  private let log: Logger
  private let atStep: (@Sendable () -> Void)?
  private let disks = ApplicationFileThreads()

  /// The downloads by ID, and their order.
  private var downloads: [String: Download] = [:]
  private var order: [String] = []
  /// The IDs of those on which a task works.
  private var working: Set<String> = []
  /// The transfers that run.
  private var runs: [String: CurlRun] = [:]
  private var received: [String: Int64] = [:]
  /// The times before which no attempt is made.
  private var due: [String: ContinuousClock.Instant] = [:]
  private var timer: LoopTimer?
  private var tick: LoopTimer?
  private var ticks = 0
  /// The IDs of the downloads at whose files a task looks.
  private var looking: Set<String> = []
  /// The calls that create a download.
  private let additions: DownloadAdditions
  /// Called after a download was finished or paused.
  var finished: () -> Void = {}

  /// - Parameter atStep: Called immediately before and after each call of another program and each change of a file.
  init(
    on bus: BusConnection, file: TriggerFile, clock: TriggerClock, sender: ResponseSender,
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
    working.isEmpty && additions.count() == 0
      && downloads.values.allSatisfy { $0.isPaused && $0.attempt == nil }
  }

  /// The IDs of the applications with downloads.
  var applications: Set<String> { Set(downloads.values.map(\.application)) }

  /// Reads what an earlier daemon has stored, and continues.
  func load() throws(BusError) {
    for stored in try file.use({ store throws(StateError) in try store.downloads() }) {
      guard let download = Download(stored) else {
        log.error("a stored download of \(stored.application) cannot be read")
        continue
      }
      downloads[download.id] = download
      order.append(download.id)
      received[download.id] = download.part.count
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
      own: downloads.values.count { $0.application.isSpelt(like: application) }
        + additions.count(of: application),
      all: downloads.count + additions.count())
    let id = RequestID.random()
    additions.begin(id, of: application)
    defer {
      additions.end(id)
      finished()
    }
    let identifier = request.identifier ?? "download-\(id)"
    try requireNew(identifier, of: application)
    let (target, isNew) = try await additions.createFile(request, for: id) { path in
      downloads.values.contains { $0.file.path == path }
    }.get(as: BusError.init)
    // An empty partial file may be that of another download, or of another call, whose path leads to the same directory.
    guard
      isNew || additions.count() == 1 && !downloads.values.contains(where: { $0.file.inode == target.inode })
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
      downloads[id] = download
      order.append(id)
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

  private func find(_ identifiers: [String]?, of application: String) -> [String] {
    order.filter { id in
      guard let download = downloads[id], download.application.isSpelt(like: application) else {
        return false
      }
      return identifiers?.contains(download.identifier) ?? true
    }
  }

  /// Cancels downloads; one that is whole, and unknown identifiers are ignored.
  func cancel(_ identifiers: [String], of application: String, byUser: Bool) throws(BusError) {
    for id in find(identifiers, of: application) {
      guard downloads[id]?.phase == .transferring else { continue }
      try change(id) { $0.phase = .cancelled(byUser: byUser) }
      stop(id)
    }
    proceed()
  }

  /// Pauses downloads, or resumes them; unknown identifiers are ignored.
  func setPaused(_ isPaused: Bool, _ identifiers: [String], of application: String) throws(BusError) {
    for id in find(identifiers, of: application) {
      guard downloads[id]?.phase == .transferring else { continue }
      let now = clock.now
      try change(id) { download in
        download.isPaused = isPaused
        download.failures = 0
        download.progressDate = now
      }
      due[id] = nil
      if isPaused { stop(id) }
    }
    proceed()
    finished()
  }

  /// Returns the downloads that a caller may see.
  func list(for visibility: CallerAccess.Visibility) -> [[String: Variant]] {
    order.compactMap { id in
      guard let download = downloads[id], visibility.includes(download.application) else { return nil }
      return download.entries(received: received[id] ?? download.part.count, isActive: runs[id] != nil)
    }
  }

  /// Drops the downloads of an application that was removed, after they were removed from the file.
  func forgetAll(of application: String) {
    for id in find(nil, of: application) {
      downloads[id]?.phase = .cancelled(byUser: false)
      stop(id)
    }
    proceed()
  }

  private func stop(_ id: String) {
    guard let run = runs[id] else { return }
    bus.loop.start { await run.stop() }
  }

  /// Changes a download after the change is stored.
  private func change(_ id: String, _ body: (inout Download) -> Void) throws(BusError) {
    guard var download = downloads[id] else { return }
    body(&download)
    let progress = download.progress
    try file.use { store throws(StateError) in try store.setProgress(progress, ofDownload: id) }
    downloads[id] = download
  }

  /// Changes a download for which no caller waits; logs a failure, and makes the change in memory.
  private func note(_ id: String, _ body: (inout Download) -> Void) {
    guard var download = downloads[id] else { return }
    body(&download)
    downloads[id] = download
    let progress = download.progress
    file.attempt { store throws(StateError) in try store.setProgress(progress, ofDownload: id) }
  }

  // MARK: Work

  /// Starts what can be started, and sets the timer for the next attempt.
  private func proceed() {
    timer?.cancel()
    timer = nil
    let now = ContinuousClock.now
    var next: ContinuousClock.Instant?
    for id in order where !working.contains(id) {
      guard let download = downloads[id],
        !download.isPaused || download.attempt != nil
          || download.phase != .transferring
      else { continue }
      if let time = due[id], time > now {
        if next.map({ time < $0 }) ?? true { next = time }
        continue
      }
      guard download.phase != .transferring || download.attempt != nil || hasRoom(for: download) else {
        continue
      }
      working.insert(id)
      bus.loop.start { await self.work(id) }
    }
    guard let next else { return }
    timer = LoopTimer(on: bus.loop, after: next - now) { [weak self] in
      EventLoop.shared.start { self?.proceed() }
    }
  }

  /// Returns whether another transfer may run.
  private func hasRoom(for download: Download) -> Bool {
    working.count < DownloadLimits.transfers
      && working.count { downloads[$0]?.application.isSpelt(like: download.application) == true }
        < DownloadLimits.transfersOfApplication
  }

  private func work(_ id: String) async {
    due[id] = nil
    if downloads[id]?.attempt != nil {
      // An earlier daemon has begun the attempt.
      if let run = await dependencies.runner.running(id) {
        await follow(id, run)
      } else {
        await judge(id, .unknown)
      }
    } else if let download = downloads[id], download.phase == .transferring, !download.isPaused {
      if download.part.isWhole {
        await check(id)
      } else if let run = await begin(id) {
        await follow(id, run)
      }
    }
    await finishIfDecided(id)
    working.remove(id)
    proceed()
    finished()
  }

  /// Starts an attempt.
  private func begin(_ id: String) async -> CurlRun? {
    guard let download = downloads[id] else { return nil }
    let part = download.part
    let needed = part.total.map { max(0, $0 - part.count) } ?? DownloadLimits.reserve
    let target = download.file
    let directory = dependencies.directory
    let (request, stall) = (download.request, dependencies.stall)
    atStep?()
    let prepared = await disks[download.application].run {
      target.openForAppending(after: part.count, needing: needed).flatMap { output, inode, hasPart in
        var configuration = CurlConfiguration(request: request, part: hasPart ? part : PartialFile())
        configuration.stall = stall
        return AttemptFiles(in: directory, of: id).open(configuration.text).map { files in
          (
            files: CurlRunner.Files(
              output: output, configuration: files.configuration,
              headers: files.headers, headersPath: files.headersPath), inode: inode, hasPart: hasPart
          )
        }
      }
    }
    atStep?()
    let files: (files: CurlRunner.Files, inode: UInt64, hasPart: Bool)
    switch prepared {
    case .success(let value): files = value
    case .failure(let failure):
      retry(id, failure, progressed: false, requested: nil)
      return nil
    }
    // It may have been cancelled or paused meanwhile.
    guard let current = downloads[id], current.phase == .transferring, !current.isPaused else { return nil }
    do throws(BusError) {
      try change(id) { download in
        download.file.inode = files.inode
        if !files.hasPart { download.part = PartialFile() }
        download.attempt = (download.part, BootClock.bootID)
      }
    } catch {
      retry(id, DownloadFailure(.disk, error.message), progressed: false, requested: nil)
      return nil
    }
    do throws(DownloadFailure) {
      atStep?()
      let run = try await dependencies.runner.start(
        id, of: download.application, files.files,
        limit: download.request.maxSize.map { max($0, Self.smallestLimit) })
      atStep?()
      return run
    } catch {
      note(id) { $0.attempt = nil }
      retry(id, error, progressed: false, requested: nil)
      return nil
    }
  }

  /// The smallest limit of the kernel for the length of a file, which is also that of the response headers.
  private static let smallestLimit: Int64 = 4 << 20

  /// Waits for the end of a transfer.
  private func follow(_ id: String, _ run: CurlRun) async {
    runs[id] = run
    if let download = downloads[id], download.phase != .transferring || download.isPaused { stop(id) }
    startTicking()
    let end = await run.end()
    runs[id] = nil
    if runs.isEmpty {
      tick?.cancel()
      tick = nil
    }
    await judge(id, end)
  }

  /// Decides what follows an attempt that has ended.
  private func judge(_ id: String, _ end: TransferAttempt.End) async {
    guard let download = downloads[id], let (start, bootID) = download.attempt else { return }
    let (target, files) = (download.file, AttemptFiles(in: dependencies.directory, of: id))
    let (size, dump) = await disks[download.application].run {
      (target.size(synchronizing: true) ?? 0, files.headers())
    }
    received[id] = size
    guard bootID == BootClock.bootID else {
      // After a crash of the machine, only what was written to the disk before is certain.
      return note(id) { download in
        download.part.count = min(download.part.count, size)
        download.attempt = nil
      }
    }
    let attempt = TransferAttempt(
      start: start, end: end, dump: dump, size: size, limit: download.request.maxSize)
    let stopped = download.phase != .transferring || download.isPaused
    switch attempt.verdict {
    case .whole(var part):
      part.total = part.count
      let whole = part
      note(id) { download in
        download.part = whole
        download.attempt = nil
        download.lastFailure = nil
      }
      if download.phase == .transferring { await check(id) }
    case .proceed(let part, let failure):
      note(id) { download in
        download.part = part
        download.attempt = nil
      }
      if !stopped {
        retry(id, failure, progressed: part.count > start.count, requested: attempt.retryAfter)
      }
    case .restart(let failure):
      restart(id, failure, counting: !stopped)
    case .fail(let failure):
      note(id) { download in
        download.attempt = nil
        if download.phase == .transferring { download.phase = .failed(failure) }
      }
    }
  }

  private func restart(_ id: String, _ failure: DownloadFailure, counting: Bool) {
    note(id) { download in
      download.part = PartialFile()
      download.attempt = nil
      download.restarts += counting ? 1 : 0
    }
    guard counting, let download = downloads[id] else { return }
    guard download.restarts <= DownloadLimits.restarts else {
      return note(id) { download in
        download.phase = .failed(
          DownloadFailure(
            .changed,
            "the file was begun again \(DownloadLimits.restarts) times, because it changes on the server, or because the server cannot continue an interrupted transfer; try again later"
          ))
      }
    }
    retry(id, failure, progressed: false, requested: nil)
  }

  /// Records why an attempt ended, and sets the time of the next one.
  private func retry(_ id: String, _ failure: DownloadFailure, progressed: Bool, requested: Int64?) {
    guard let download = downloads[id], download.phase == .transferring else { return }
    let now = clock.now
    let since = progressed ? now : download.progressDate
    let failures = progressed ? 0 : download.failures + 1
    // The machine may have been off for a week, or have had another clock.
    guard
      now.milliseconds - since.milliseconds < DownloadLimits.giveUpTime
        || failures < DownloadLimits.leastAttempts
    else {
      return note(id) { download in
        download.phase = .failed(
          DownloadFailure(failure.kind, "nothing was received for seven days: \(failure.description)"))
      }
    }
    let delay = TransferAttempt.delay(after: failures, requested: requested)
    due[id] = .now + .seconds(delay)
    note(id) { download in
      download.failures = failures
      // A clock that was set back must not extend the time for ever.
      download.progressDate = min(since, now)
      download.lastFailure = failure
    }
    log.info(
      "a download of \(download.application) is tried again in \(delay) seconds",
      metadata: ["url": "\(download.request.url.shown)", "reason": "\(failure.kind.rawValue)"])
  }

  /// Checks a whole file.
  private func check(_ id: String) async {
    guard let download = downloads[id] else { return }
    let (target, count, sum) = (download.file, download.part.count, download.request.sha256)
    let result = await disks[download.application].run { target.check(count: count, sha256: sum) }
    guard downloads[id]?.phase == .transferring else { return }
    switch result {
    case .success: note(id) { $0.phase = .completing }
    case .failure(let failure) where failure.kind == .checksum: note(id) { $0.phase = .failed(failure) }
    case .failure(let failure): restart(id, failure, counting: true)
    }
  }

  /// Completes a download whose outcome is decided: the file gets its name or is removed, and the outcome is reported to the application.
  private func finishIfDecided(_ id: String) async {
    guard var download = downloads[id], download.phase != .transferring else { return }
    let (target, files) = (download.file, AttemptFiles(in: dependencies.directory, of: id))
    let disk = disks[download.application]
    if download.phase == .completing {
      atStep?()
      let result = await disk.run { target.finish() }
      atStep?()
      if case .failure(let failure) = result {
        note(id) {
          $0.phase = .failed(
            DownloadFailure(failure.kind, "\(failure.description); the whole file is \(target.partPath)"))
        }
        download = downloads[id] ?? download
      }
    }
    if download.removesPart {
      atStep?()
      await disk.run { target.removePart() }
      atStep?()
    }
    await disk.run { files.remove() }
    let response = download.response(at: clock.now)
    guard file.attempt({ store throws(StateError) in try store.finish(download: id, response) }) else {
      due[id] = .now + .seconds(60)
      return
    }
    downloads[id] = nil
    received[id] = nil
    due[id] = nil
    order.removeAll { $0 == id }
    log.info(
      "a download of \(download.application) has finished",
      metadata: ["url": "\(download.request.url.shown)", "outcome": "\(download.outcome?.name ?? "none")"])
    if let response { sender.send(response) }
  }

  // MARK: Progress

  /// The time between two looks at the files while something is transferred.
  private static let tickTime = Duration.seconds(1)
  /// The number of looks after which what was received is written to the disk.
  private static let ticksOfCheckpoint = 5

  private func startTicking() {
    guard tick == nil else { return }
    tick = LoopTimer(on: bus.loop, after: Self.tickTime) { [weak self] in
      EventLoop.shared.start {
        guard let self else { return }
        self.tick = nil
        self.look()
        if !self.runs.isEmpty { self.startTicking() }
      }
    }
  }

  /// Looks at the files of all transfers, except those at which an earlier look has not ended.
  private func look() {
    ticks += 1
    let isCheckpoint = ticks % Self.ticksOfCheckpoint == 0
    for id in runs.keys where looking.insert(id).inserted {
      bus.loop.start {
        await self.look(at: id, isCheckpoint: isCheckpoint)
        self.looking.remove(id)
      }
    }
  }

  /// Reports the progress of a transfer, and ends one that cannot succeed.
  private func look(at id: String, isCheckpoint: Bool) async {
    guard let download = downloads[id], let (start, _) = download.attempt else { return }
    let (target, files) = (download.file, AttemptFiles(in: dependencies.directory, of: id))
    let (size, dump) = await disks[download.application].run {
      (target.size(synchronizing: isCheckpoint), files.headers())
    }
    // The transfer may have ended meanwhile.
    guard let size, runs[id] != nil, downloads[id]?.attempt != nil else { return }
    let hasGrown = size != received[id]
    received[id] = size
    let attempt = TransferAttempt(
      start: start, end: .running, dump: dump, size: size, limit: download.request.maxSize)
    switch attempt.verdict {
    case .restart, .fail:
      // What follows is decided after its end.
      stop(id)
    case .whole(let part), .proceed(let part, _):
      if isCheckpoint, part != downloads[id]?.part {
        note(id) { $0.part = part }
      } else {
        downloads[id]?.part.total = part.total
      }
      if hasGrown { await report(id, size) }
    }
  }

  /// Sends the progress to the application alone, if it runs.
  private func report(_ id: String, _ size: Int64) async {
    guard let download = downloads[id], let application = ApplicationID(rawValue: download.application),
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
