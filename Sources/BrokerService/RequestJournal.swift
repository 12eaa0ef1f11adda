import BrokerCore
import BusInterfaces
import Logging
import State
import Systemd

/// What is under way: how much of it there is, and what of it is written down.
///
/// It lives on the broker's loop and is used without leaving it, so that nothing happens between a note and what it is
/// about.
actor RequestJournal {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  nonisolated let limits: BrokerLimits
  private nonisolated let log: Logger
  private nonisolated let atCommit: (@Sendable () -> Void)?
  private nonisolated let busAddress: String

  private var store: PendingStore?
  /// Why nothing can be written down, in a sentence; `nil` when it can.
  private(set) var obstacle: String?
  /// A damaged file that was set aside.
  private(set) var setAside: String?
  /// A secret of this session.
  private(set) var key: [UInt8] = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
  /// Beyond all that an earlier broker of this session has given, also where that cannot be read yet.
  private var nextNumber = BootClock.now
  /// What a file held that took the place of the one that was open, until it is asked for.
  private var left: [PendingRequest] = []
  private var runtimeDirectory: String?
  /// Whether a file was replaced in which requests stood that are under way.
  private var wasReplaced = false
  /// When the file was last tried to be opened.
  private var triedAt: Int64 = 0
  /// The requests that are written down.
  private var written: Set<Int64> = []
  /// Those of them that are to be taken off, at the next opportunity.
  private var forgotten: [Int64] = []
  /// How many parts of requests are under way.
  private(set) var pending = 0
  private var urls: SharedQuota
  private var bytes: SharedQuota
  private var targets: [String: SharedQuota] = [:]

  /// Room that a part of a request takes until it is over.
  struct Share: Sendable {
    let caller: ChargedCaller
    /// The desktop-file ID of the application whose queue the part waits in.
    let target: String?
    let urls: Int
    let bytes: Int

    init(of envelope: Envelope, for target: String?, from caller: ChargedCaller) {
      self.caller = caller
      self.target = target
      urls = max(1, envelope.urls.count)
      bytes = RequestPart.size(of: envelope)
    }
  }

  init(
    on loop: EventLoop, _ limits: BrokerLimits, busAddress: String, log: Logger,
    atCommit: (@Sendable () -> Void)?
  ) {
    self.loop = loop
    self.busAddress = busAddress
    self.limits = limits
    urls = SharedQuota(capacity: limits.total)
    bytes = SharedQuota(capacity: limits.bytes)
    self.log = log
    self.atCommit = atCommit
  }

  /// Opens the file in the runtime folder and returns what an earlier broker of this session left.
  ///
  /// A broker that leaves may still have it for a moment.
  func open(in runtimeDirectory: String?) async -> [PendingRequest] {
    for _ in 0..<50 {
      let (requests, isLocked) = tryOpening(in: runtimeDirectory)
      guard isLocked else { return requests }
      guard (try? await loop.sleep(for: .milliseconds(100))) != nil else { break }
    }
    return []
  }

  /// Whether the file is open, so that all that was left in it has been read, and the next broker will find it.
  var isOpen: Bool { !wasReplaced && left.isEmpty && store?.isInPlace ?? false }

  /// Lets go of a file that nobody would find any more; whether there was one.
  ///
  /// What is written down of the requests that are under way has gone with it.
  func leaveReplacedFile() -> Bool {
    defer { wasReplaced = false }
    guard let store, !store.isInPlace else { return wasReplaced }
    log.warning("\(store.path) was replaced, as by another session; requests are written into the new one")
    forgetStore()
    triedAt = 0
    return true
  }

  /// Opens the file if it could not be opened before, at most once a second, and returns what was left in it.
  func reopen(in runtimeDirectory: String?) -> [PendingRequest] {
    defer { left = [] }
    guard store == nil, runtimeDirectory != nil, BootClock.now - triedAt > 1_000_000_000 else {
      return left
    }
    return tryOpening(in: runtimeDirectory).requests
  }

  private func tryOpening(in runtimeDirectory: String?) -> (requests: [PendingRequest], isLocked: Bool) {
    guard store == nil else { return ([], false) }
    self.runtimeDirectory = runtimeDirectory
    guard let runtimeDirectory else {
      obstacle = "XDG_RUNTIME_DIR is not set, so requests cannot be written down"
      return ([], false)
    }
    triedAt = BootClock.now
    do throws(StateError) {
      let bus = ServedBus(address: busAddress, runtimeDirectory: runtimeDirectory)
      let (store, aside) = try PendingStore.open(
        at: "\(runtimeDirectory)/usher/\(bus.storeName)", existing: runtimeDirectory,
        session: BootClock.session, bus: bus.address,
        secret: key, atCommit: atCommit)
      if let aside {
        setAside = aside
        log.warning("the requests of the session were damaged; they are set aside as \(aside)")
      }
      self.store = store
      key = store.key
      var requests = try store.requests()
      nextNumber = max(nextNumber, (requests.last?.number ?? 0) + 1)
      requests += adoptRequests(of: runtimeDirectory, in: store)
      written = Set(requests.map(\.number))
      if obstacle != nil { log.notice("requests can be written down again") }
      obstacle = nil
      return (requests, false)
    } catch {
      note(error)
      return ([], error.reason == .locked)
    }
  }

  /// Stores the unfinished requests of buses that have ended, and removes their files.
  ///
  /// Nobody else would deliver them. What was sent there is never sent again: an application would not know it by the
  /// secret of this bus, so nobody can tell whether it arrived.
  private func adoptRequests(of runtimeDirectory: String, in store: PendingStore) -> [PendingRequest] {
    let own = ServedBus.ownAddress(runtimeDirectory: runtimeDirectory)
    let abandoned = store.abandonedStores(
      session: BootClock.session, unnamedBus: own, hasEnded: ServedBus.hasEnded)
    var adopted: [PendingRequest] = []
    for other in abandoned {
      do throws(StateError) {
        var requests: [PendingRequest] = []
        for request in try other.requests() where request.parts.contains(where: { $0.progress != .ended }) {
          requests.append(request.adopted(as: number()))
        }
        for request in requests { try store.add(request) }
        other.discard()
        adopted += requests
        if !requests.isEmpty {
          log.notice("goes on with \(requests.count) requests of \(other.bus ?? own), which has ended")
        }
      } catch {
        log.error("requests of another bus cannot be taken over: \(error)")
      }
    }
    return adopted
  }

  /// The number of the next request, in the order of acceptance.
  func number() -> Int64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Takes room for a part; the sentence that names the limit when there is none for its caller.
  func take(_ share: Share) -> String? {
    let caller = share.caller.text
    switch urls.shortage(of: share.urls, for: caller) {
    case .full?: return "\(limits.total) URLs are waiting in all"
    case .part(let held)?: return Self.part("\(held) URLs waiting", of: limits.total)
    case nil: break
    }
    switch bytes.shortage(of: share.bytes, for: caller) {
    case .full?: return "the waiting requests hold \(limits.bytes) bytes in all"
    case .part(let held)?: return Self.part("requests of \(held) bytes waiting", of: limits.bytes)
    case nil: break
    }
    if let target = share.target {
      switch room(of: target).shortage(of: 1, for: caller) {
      case .full?: return "\(target) has \(limits.perTarget) requests waiting"
      case .part(let held)?: return Self.part("\(held) requests waiting for \(target)", of: limits.perTarget)
      case nil: break
      }
    }
    hold(share)
    return nil
  }

  private static func part(_ what: String, of capacity: Int) -> String {
    "this caller has \(what), which is its part of \(capacity); the rest is for other callers"
  }

  private func room(of target: String) -> SharedQuota {
    targets[target] ?? SharedQuota(capacity: limits.perTarget)
  }

  /// Takes room whatever the limits are: for what was accepted already.
  func hold(_ share: Share) {
    pending += 1
    urls.hold(share.urls, for: share.caller.text)
    bytes.hold(share.bytes, for: share.caller.text)
    guard let target = share.target else { return }
    targets[target, default: SharedQuota(capacity: limits.perTarget)].hold(1, for: share.caller.text)
  }

  /// Gives room back.
  func release(_ share: Share) {
    pending -= 1
    urls.release(share.urls, for: share.caller.text)
    bytes.release(share.bytes, for: share.caller.text)
    guard let target = share.target else { return }
    targets[target]?.release(1, for: share.caller.text)
    if targets[target]?.taken == 0 { targets[target] = nil }
  }

  /// Writes with `body`, once more where the file is no longer at its path; `false` when that cannot be done.
  func write(_ body: (PendingStore) throws(StateError) -> Void) -> Bool {
    guard let store else { return false }
    do throws(StateError) {
      do throws(StateError) {
        try body(store)
      } catch  where error.reason == .moved {
        note(error)
        left += tryOpening(in: runtimeDirectory).requests
        guard let store = self.store else { return false }
        try body(store)
      }
      if obstacle != nil {
        log.notice("requests can be written down again")
        obstacle = nil
      }
      return true
    } catch {
      note(error)
      return false
    }
  }

  /// Writes a request down; `false` when that cannot be done.
  func add(_ request: PendingRequest) -> Bool {
    guard write({ store throws(StateError) in try store.add(request) }) else { return false }
    written.insert(request.number)
    return true
  }

  /// Whether a request is written down.
  func knows(_ number: Int64) -> Bool { written.contains(number) }

  /// Takes requests off what is written down: soon, and together with others.
  func forget(_ numbers: [Int64]) {
    forgotten += numbers.filter { written.remove($0) != nil }
    guard forgotten.count >= 100 else { return }
    let numbers = forgotten
    forgotten = []
    _ = write { store throws(StateError) in try store.remove(numbers) }
  }

  /// A point at which a test may end the process.
  func pass() { atCommit?() }

  private func note(_ error: StateError) {
    if obstacle == nil { log.error("requests cannot be written down: \(error)") }
    obstacle = error.description
    // What is under way goes on from memory; the file is opened anew with later requests.
    if case .moved = error.reason {
      forgetStore()
      wasReplaced = true
    }
    guard case .corrupt = error.reason, let damaged = store else { return }
    // What is under way goes on from memory; only a crash now would lose it.
    forgetStore()
    let path = damaged.path
    do throws(StateError) {
      let (store, aside) = try PendingStore.replace(
        at: path, session: BootClock.session, bus: damaged.bus, secret: key, atCommit: atCommit)
      self.store = store
      setAside = aside
      obstacle = nil
    } catch {
      obstacle = error.description
    }
  }

  private func forgetStore() {
    store = nil
    written = []
    forgotten = []
  }
}

extension PendingRequest {
  /// The same request under a new number, to be gone on with on another bus.
  fileprivate func adopted(as number: Int64) -> PendingRequest {
    PendingRequest(
      number: number, caller: caller, id: id, digest: digest, details: details, deadline: deadline,
      expires: expires,
      parts: parts.map { part in
        var part = part
        // Without a way it ends as `unknown`.
        if part.progress == .sent { part.way = nil }
        return part
      })
  }
}
