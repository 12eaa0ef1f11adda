// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Launching
import Logging
import OpenSocket
import Systemd

/// The open socket for plain URLs.
@BrokerActor
final class SocketFrontend {
  private let bus: BusConnection
  private let runtimeDirectory: String?
  private let opening: OpenService
  private let policy: PolicyService
  private let log: Logger
  /// `nil` while the socket is closed.
  private var listener: SeqPacketListener?

  init(
    on bus: BusConnection, runtimeDirectory: String?, opening: OpenService, policy: PolicyService, log: Logger
  ) {
    self.bus = bus
    self.runtimeDirectory = runtimeDirectory
    self.opening = opening
    self.policy = policy
    self.log = log
  }

  /// Starts listening, if this broker serves the user's own bus.
  func listen() {
    guard listener == nil, let address = try? bus.address.resolved(), let directory = runtimeDirectory,
      let path = OpenSocket.path(runtimeDirectory: directory, busAddress: address)
    else { return }
    guard RuntimeDirectory.make(in: directory) else {
      return log.warning(
        "open socket disabled: \(directory)/\(RuntimeDirectory.name) is not a directory owned by this user")
    }
    do throws(SystemdError) {
      listener = try SeqPacketListener(
        at: path, on: BrokerActor.loop, mostConnections: BrokerLimits.maximumSocketPeers,
        longestPacket: OpenPacket.limit,
        question: OpenAnswer.identify.rawValue
      ) { [weak self] peer, bytes in
        BrokerActor.onLoop { self?.receive(bytes, from: peer) }
      }
    } catch {
      log.warning("open socket disabled: \(error)")
    }
  }

  /// Stops listening until the broker owns its names again.
  func close() {
    listener?.end()
    listener = nil
  }

  /// Opens the URL of a packet, and replies.
  ///
  /// If the broker closes the connection without a reply, the caller repeats the request on the bus with the same ID:
  /// either nothing was started, or this broker is stopping.
  private func receive(_ bytes: [UInt8], from peer: SeqPacketConnection) {
    guard let packet = OpenPacket(bytes), let options = Self.options(of: packet) else { return }
    BrokerActor.loop.start { [self] in
      // The stored request keeps a reference to the peer, so the connection must be closed explicitly.
      defer { peer.hangUp() }
      guard let request = try? await opening.start([packet.url], options.entries, for: .peer(peer)) else {
        return
      }
      let receipt = try? await request.value.get()
      var isDone = receipt.map { Self.saysNothing($0, options.wait) } ?? false
      if isDone, let receipt { isDone = await !leavesStartupOpen(options, receipt) }
      peer.send((isDone ? OpenAnswer.done : .ask).rawValue)
    }
  }

  /// Returns whether `usher-command` must complete the launcher's startup sequence, which needs a connection to the display.
  private func leavesStartupOpen(_ options: OpenOptions, _ receipt: Receipt) async -> Bool {
    guard let id = options.startupID ?? options.activationToken, StartupNotification.isX11(id) else {
      return false
    }
    // The reply does not wait longer for a disk that does not respond. The command then completes the sequence.
    let isCompleted = await BrokerActor.result(within: BrokerLimits.silentFile, otherwise: false) {
      [policy] in
      await policy.isStartupCompleted(byTargetsOf: receipt.deliveries)
    }
    return !isCompleted
  }

  /// Returns the options of a packet; `nil` if one is invalid, so that the caller gets the error on the bus.
  private static func options(of packet: OpenPacket) -> OpenOptions? {
    var entries: [String: Variant] = [:]
    var dictionaries: [String: [String: Variant]] = [:]
    for (name, value) in packet.others {
      guard let slash = name.unicodeScalars.firstIndex(of: "/") else {
        entries[name] = .string(value)
        continue
      }
      let key = String(name[name.unicodeScalars.index(after: slash)...])
      dictionaries[String(name[..<slash]), default: [:]][key] = .string(value)
    }
    for (name, values) in dictionaries {
      guard entries.updateValue(.dictionary(values), forKey: name) == nil else { return nil }
    }
    entries["request-id"] = .string(packet.requestID)
    entries["wait"] = packet.wait.map { .string($0) }
    entries["activation-token"] = packet.activationToken.map { .string($0) }
    // A caller repeats a request on the bus only.
    entries[OpenOptions.firstAttemptKey] = .boolean(true)
    return try? OpenOptions(entries)
  }

  /// Returns whether a receipt contains nothing but success.
  private static func saysNothing(_ receipt: Receipt, _ wait: OpenOptions.Wait) -> Bool {
    receipt.exitStatus(waitingFor: wait) == 0
      && receipt.deliveries.allSatisfy { $0.value == nil && $0.error == nil }
  }
}
