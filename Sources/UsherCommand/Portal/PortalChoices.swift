// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import Glibc

/// The choices that the portal has stored, which precede `mimeapps.list` for programs that open links through it.
enum PortalChoices {
  /// There is no store, or it has no choice.
  case none
  /// The choices, sorted by MIME type and caller.
  case stored([PortalChoice])
  /// The store exists and could not be read.
  case unavailable(reason: String)

  /// The choices that were read.
  var all: [PortalChoice] { if case .stored(let choices) = self { choices } else { [] } }

  /// Returns the choices for a MIME type.
  func about(_ type: String) -> [PortalChoice] { all.filter { $0.type == type } }

  /// Reads the choices for all types, or for one.
  ///
  /// A store that does not run is started only if its file exists, because otherwise it has nothing to say.
  ///
  /// - Parameter limit: the longest time for all calls together.
  static func read(
    _ directories: BaseDirectories, about type: String? = nil, within limit: Duration = .seconds(3)
  ) -> PortalChoices {
    guard let bus = try? BlockingBusConnection(.user) else { return .none }
    let deadline = ContinuousClock.now + limit
    let remaining = { max(.milliseconds(1), deadline - .now) }
    do throws(BusError) {
      guard try mayHaveChoices(bus, directories, timeout: remaining()) else { return .none }
      let (store, table) = (PermissionStoreInterface.store, PermissionStoreInterface.choices)
      let types =
        if let type { [type] } else {
          try bus.call(PermissionStoreInterface.list, at: store, table, timeout: remaining()).sorted()
        }
      var choices: [PortalChoice] = []
      for type in types {
        do throws(BusError) {
          let (permissions, data) = try bus.call(
            PermissionStoreInterface.lookup, at: store, table, type, timeout: remaining())
          choices += permissions.sorted { $0.key < $1.key }.compactMap { caller, permissions in
            PortalChoice(type: type, caller: caller, permissions: permissions, data: data)
          }
        } catch  where error.name == .portalNotFound {
          continue
        }
      }
      return choices.isEmpty ? .none : .stored(choices)
    } catch {
      return [.serviceUnknown, .nameHasNoOwner].contains(error.busFailure)
        ? .none : .unavailable(reason: error.message)
    }
  }

  private static func mayHaveChoices(
    _ bus: BlockingBusConnection, _ directories: BaseDirectories, timeout: Duration
  ) throws(BusError) -> Bool {
    // xdg-permission-store creates the file with the first entry of a table.
    let file = "\(directories.dataHome)/flatpak/db/\(PermissionStoreInterface.choices)"
    if access(file, F_OK) == 0 { return true }
    do throws(BusError) {
      let store = PermissionStoreInterface.store.name.rawValue
      _ = try bus.call(BusDaemon.getNameOwner, at: .bus, store, timeout: timeout)
      return true
    } catch  where error.busFailure == .nameHasNoOwner {
      return false
    }
  }

  /// Removes a choice from the store, so that the portal decides as if the user had not made it.
  static func remove(_ choice: PortalChoice) throws(BusError) {
    do throws(BusError) {
      try BlockingBusConnection(.user).call(
        PermissionStoreInterface.deletePermission, at: PermissionStoreInterface.store,
        PermissionStoreInterface.choices, choice.type, choice.caller, timeout: .seconds(10))
    } catch  where error.name == .portalNotFound {
      return
    }
  }
}
