// SPDX-License-Identifier: Apache-2.0
import Logging
import State
import Systemd

/// The file of pending requests of this session and bus: it is opened, moved aside if it is damaged, and opened again.
///
/// It adopts the requests in the files of buses that have ended.
@BrokerActor
final class PendingFile {
  /// The loss of an open file with the requests in it.
  enum Loss {
    /// The file was removed or replaced at its path.
    case moved
    /// The file was damaged, and has been moved aside.
    case damaged
  }

  private let log: Logger
  private let atCommit: (@Sendable () -> Void)?
  private let busAddress: String
  /// The directory in which the file is; `nil` before the first attempt to open it, or if there is none.
  private(set) var runtimeDirectory: String?
  /// The open file; `nil` if there is none.
  private(set) var store: PendingStore?
  /// The records of what the open file contains, which are lost with it.
  var content = PendingFileContent()
  /// The reason why nothing can be stored, as a sentence; `nil` if storing works.
  private(set) var obstacle: String?
  /// The path to which a damaged file was moved; `nil` if there was none.
  private(set) var setAside: String?
  /// The secret key of this session.
  private(set) var key: [UInt8] = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
  /// The time of the last attempt to open the file; `nil` if it may be opened at once.
  private var triedAt: ContinuousClock.Instant?

  init(busAddress: String, log: Logger, atCommit: (@Sendable () -> Void)?) {
    self.busAddress = busAddress
    self.log = log
    self.atCommit = atCommit
  }

  /// A Boolean value that indicates whether the last attempt to open the file was more than a second ago.
  var mayRetry: Bool { triedAt.map { .now - $0 > BrokerLimits.storing } ?? true }

  /// Opens the file in the runtime directory; returns `nil` if there is no such directory.
  func open(in runtimeDirectory: String?) throws(StateError) -> PendingStore? {
    self.runtimeDirectory = runtimeDirectory
    guard let runtimeDirectory else {
      obstacle = "XDG_RUNTIME_DIR is not set, so requests cannot be stored"
      return nil
    }
    triedAt = .now
    let bus = ServedBus(address: busAddress, runtimeDirectory: runtimeDirectory)
    let (store, aside) = try PendingStore.open(
      at: "\(runtimeDirectory)/usher/\(bus.storeName)", existing: runtimeDirectory,
      session: BootClock.bootID, bus: bus.address, secret: key, atCommit: atCommit)
    if let aside {
      setAside = aside
      log.warning("the database of pending requests was corrupt; it was moved to \(aside) and recreated")
    }
    self.store = store
    key = store.key
    return store
  }

  /// Adopts the unfinished requests of buses that have ended, and removes their files.
  ///
  /// No other broker would deliver them. A request that was sent there is never repeated: its ID depends on the secret
  /// of that bus, so the application would not recognize it, and its outcome is unknown.
  ///
  /// - Parameters:
  ///   - known: The requests in the open file; it may have copies from an adoption that was interrupted.
  ///   - nextNumber: Returns the number of an adopted request.
  func adoptRequests(
    besides known: [PendingRequest], numberedBy nextNumber: () -> Int64
  ) -> [PendingRequest] {
    guard let store, let runtimeDirectory else { return [] }
    let known = Set(known.map(\.identity))
    let own = ServedBus.ownAddress(runtimeDirectory: runtimeDirectory)
    let abandoned = store.abandonedStores(
      session: BootClock.bootID, unnamedBus: own, hasEnded: ServedBus.hasEnded)
    var adopted: [PendingRequest] = []
    for other in abandoned {
      do throws(StateError) {
        var requests: [PendingRequest] = []
        for request in try other.requests() where !request.isEnded && !known.contains(request.identity) {
          requests.append(request.adopted(as: nextNumber()))
        }
        try store.add(requests)
        other.discard()
        adopted += requests
        if !requests.isEmpty {
          log.notice("resuming \(requests.count) requests of \(other.bus ?? own), which no longer exists")
        }
      } catch {
        log.error("cannot resume requests of another bus: \(error)")
      }
    }
    return adopted
  }

  /// Closes the file if it was replaced at its path, so that the new one can be opened at once; returns whether it was.
  func closeIfReplaced() -> Bool {
    guard let store, !store.isInPlace else { return false }
    log.warning(
      "\(store.path) was replaced, probably by another session; requests are stored in the new file")
    lose()
    triedAt = nil
    return true
  }

  /// Closes the file, whose requests could not be read, so that it is opened again later.
  func closeUnread() { store = nil }

  /// Removes the requests that could not be removed before, if the file is open.
  func removeUnremoved() { if let store { content.removeUnremoved(from: store) } }

  /// Records that the file could be read or written.
  func noteSuccess() {
    guard obstacle != nil else { return }
    log.notice("requests can be stored again")
    obstacle = nil
  }

  /// Records an error, and replaces a damaged file; returns whether the open file is lost with its requests.
  func noteFailure(_ error: StateError) -> Loss? {
    if obstacle == nil { log.error("cannot store requests: \(error)") }
    obstacle = error.description
    switch (error.reason, store) {
    case (.moved, _?):
      lose()
      return .moved
    case (.corrupt, let damaged?):
      lose()
      replace(damaged)
      return .damaged
    default: return nil
    }
  }

  /// Closes the file, and forgets what it contained.
  private func lose() {
    store = nil
    content = PendingFileContent()
  }

  private func replace(_ damaged: PendingStore) {
    do throws(StateError) {
      let (store, aside) = try PendingStore.replace(
        at: damaged.path, session: BootClock.bootID, bus: damaged.bus, secret: key, atCommit: atCommit)
      self.store = store
      setAside = aside
      obstacle = nil
    } catch {
      obstacle = error.description
    }
  }
}

extension PendingRequest {
  /// The request without its number and its parts, which its copy in the file of another bus has in common with it.
  fileprivate var identity: PendingRequest {
    PendingRequest(
      number: 0, caller: caller, id: id, digest: digest, details: details, deadline: deadline,
      expires: expires, parts: [])
  }

  /// Returns the request with a new number, to be resumed on another bus.
  fileprivate func adopted(as number: Int64) -> PendingRequest {
    PendingRequest(
      number: number, caller: caller, id: id, digest: digest, details: details, deadline: deadline,
      expires: expires,
      parts: parts.map { part in
        var part = part
        // A sent part without a method gets the outcome `unknown`.
        if part.progress == .sent { part.method = nil }
        return part
      })
  }
}
