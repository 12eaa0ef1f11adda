// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import Freedesktop
import Launching
import Logging

/// The registrations that have ended, for as long as answers and requests for them may still arrive.
///
/// They are stored in the runtime directory with each change, so that the next broker of the bus knows them, however this one ends.
@BrokerActor
final class FormerRegistrations {
  /// A registration that has ended.
  struct Former {
    let registration: SchemeRegistration
    /// The end of the time in which no other machine may register the scheme.
    let end: ContinuousClock.Instant
  }

  private let runtimeDirectory: String?
  private let fileName: String
  private let log: Logger
  /// The last registration of each scheme.
  ///
  /// The first use loads them, because the earlier broker may change the file as long as it owns the bus names.
  private lazy var former: [URLScheme: Former] = load()

  /// Creates the registrations of a bus; without a runtime directory, they are known to this broker alone.
  init(busAddress: String, runtimeDirectory: String?, log: Logger) {
    self.runtimeDirectory = runtimeDirectory
    fileName =
      runtimeDirectory.map {
        ServedBus(address: busAddress, runtimeDirectory: $0).formerRegistrationsName
      } ?? ""
    self.log = log
  }

  /// Adds a registration that ends now, and stores it before it returns.
  func add(_ registration: SchemeRegistration) {
    former = former.filter { $0.value.end > .now }
    former[registration.scheme] = Former(
      registration: registration, end: .now + BrokerLimits.formerRegistration)
    store()
  }

  /// Returns the last registration of a scheme; `nil` if there was none lately.
  func last(of scheme: URLScheme) -> Former? { former[scheme].flatMap { $0.end > .now ? $0 : nil } }

  /// Returns whether a registration with an entry of this ID has ended lately.
  func contains(_ id: ApplicationID) -> Bool {
    former.values.contains { $0.end > .now && $0.registration.entry.id == id }
  }

  private func load() -> [URLScheme: Former] {
    guard let runtimeDirectory,
      let content = RuntimeDirectory.content(of: fileName, in: runtimeDirectory)
    else { return [:] }
    do throws(MessageError) {
      let record = try PropertyList(json: String(decoding: content, as: UTF8.self))
      // The times are from a clock that begins again with each boot.
      guard record["session"]?.string == BootClock.bootID else { return [:] }
      let stored = (record["registrations"]?.array ?? []).compactMap { Former($0) }
      return Dictionary(stored.map { ($0.registration.scheme, $0) }) { $1 }
    } catch {
      log.warning("the registrations that have ended cannot be read: \(error)")
      return [:]
    }
  }

  private func store() {
    guard let runtimeDirectory else { return }
    let registrations = former.values.map(\.record)
    let record: PropertyList = [
      "session": .string(BootClock.bootID), "registrations": .array(registrations),
    ]
    let obstacle = RuntimeDirectory.replace(
      fileName, with: Array("\(record.json)\n".utf8), in: runtimeDirectory)
    if let obstacle {
      log.warning(
        "the end of a registration cannot be stored, so that the next broker may let another machine have the scheme: \(obstacle)"
      )
    }
  }
}

extension FormerRegistrations.Former {
  /// The stored form.
  fileprivate var record: PropertyList {
    [
      "scheme": .string(registration.schemeName), "machine": .string(registration.machine.name),
      "end": .integer(BootClock.nanoseconds(at: end)),
    ]
  }

  /// Creates a registration from its stored form; `nil` if that is invalid.
  fileprivate init?(_ record: PropertyList) {
    guard let machine = record["machine"]?.string.flatMap({ RemoteMachine($0) }),
      let registration = record["scheme"]?.string.flatMap({ SchemeRegistration(of: $0, for: machine) }),
      let end = record["end"]?.integer
    else { return nil }
    self.init(registration: registration, end: BootClock.instant(at: end))
  }
}
