// SPDX-License-Identifier: Apache-2.0
import DBus
import Glibc
import OpenSocket

/// The bus that a broker serves, and the files in which its requests and the registrations of machines that have ended are stored.
///
/// Several buses may share one `XDG_RUNTIME_DIR`: a remote desktop beside the local one, or `dbus-run-session`. A
/// request belongs to the bus on which it was accepted, so each bus has a store of its own (docs/decisions/0034).
struct ServedBus: Hashable, Sendable {
  /// The address in D-Bus notation, without the GUIDs that the bus adds to it.
  let address: String
  /// The file name of the store in `$XDG_RUNTIME_DIR/usher`: `pending.sqlite` for the user's own bus, `$XDG_RUNTIME_DIR/bus`.
  let storeName: String
  /// The file name of the registrations that have ended, in the same directory.
  let formerRegistrationsName: String

  /// Creates the bus at `address` in a session with this runtime directory.
  init(address: String, runtimeDirectory: String) {
    self.address = BusAddress.withoutGUIDs(address)
    let isOwn = OpenSocket.path(runtimeDirectory: runtimeDirectory, busAddress: address) != nil
    let suffix = isOwn ? "" : "-\(Self.digest(self.address))"
    storeName = "pending\(suffix).sqlite"
    formerRegistrationsName = "former-registrations\(suffix)"
  }

  /// Returns the address of the user's own bus.
  static func ownAddress(runtimeDirectory: String) -> String { "unix:path=\(runtimeDirectory)/bus" }

  /// Returns the 64-bit FNV-1a digest of a text, in 16 hexadecimal digits.
  private static func digest(_ text: String) -> String {
    let digest = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(digest, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns whether a bus certainly no longer listens at `address`; `false` if this is uncertain.
  static func hasEnded(_ address: String) -> Bool {
    address.split(separator: ";").allSatisfy { isRefused(at: String($0)) }
  }

  /// Returns whether no process listens at one alternative of an address, `unix:path=` or `unix:abstract=` without escapes.
  private static func isRefused(at alternative: String) -> Bool {
    guard alternative.hasPrefix("unix:"), !alternative.contains("%") else { return false }
    let keys = alternative.dropFirst("unix:".count).split(separator: ",")
    func value(_ key: String) -> String? {
      keys.first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.utf8.count + 1)) }
    }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    errno = 0
    let result =
      if let path = value("path") {
        SocketAddress.with(path) { connect(descriptor, $0, $1) }
      } else if let name = value("abstract") {
        SocketAddress.withAbstract(name) { connect(descriptor, $0, $1) }
      } else {
        Int32(0)
      }
    return result != 0 && [ENOENT, ECONNREFUSED, ENOTDIR].contains(errno)
  }
}
