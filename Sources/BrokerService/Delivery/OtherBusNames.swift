// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import Launching
import Systemd

/// The names on the bus that a program may have acquired instead of the ID of its entry.
struct OtherBusNames {
  let id: ApplicationID
  /// The names of processes that began while the broker waited.
  var new: [String] = []
  /// The names of earlier processes that run the same program.
  var ofProgram: [String] = []

  /// Returns the names, other than the application's, of processes that began since `begin`, or that run its program.
  ///
  /// - Parameter launch: The program of the application; `nil` if it is unknown.
  @BrokerActor
  static func find(
    besides instance: ApplicationInstance, on bus: BusConnection, since begin: UInt64,
    running launch: Launch?
  ) async -> OtherBusNames {
    var others = OtherBusNames(id: instance.id)
    guard let names = try? await bus.call(BusDaemon.listNames, at: .bus) else { return others }
    for name in names.compactMap({ BusName($0) }) where !name.isUnique && name != instance.busName {
      guard let pid = try? await bus.credentials(of: name).processID, let directory = ProcDirectory(of: pid),
        let startTime = directory.startTime
      else { continue }
      if startTime >= begin {
        others.new.append(name.rawValue)
      } else if launch?.isProgram(of: directory) == true {
        others.ofProgram.append(name.rawValue)
      }
    }
    return others
  }

  /// The end of a sentence that names both IDs; empty if there is no other name.
  var diagnostic: String {
    if !new.isEmpty {
      return
        "; in the meantime, \(list(new)) appeared on the bus; if that is a name of this application, change it to \(id)"
    }
    guard !ofProgram.isEmpty else { return "" }
    return
      "; \(list(ofProgram)) is a process of the same program; if that is a name of this application, change it to \(id)"
  }

  private func list(_ names: [String]) -> String { names.sorted().joined(separator: ", ") }
}

extension Launch {
  /// Returns whether a process seems to run this program, which the user may have started by another path.
  ///
  /// Programs with further words are not recognized, because most of them are interpreters.
  fileprivate func isProgram(of directory: ProcDirectory) -> Bool {
    guard arguments.count == 1, let name = executable.split(separator: "/").last else { return false }
    return directory.commandName?.utf8.elementsEqual(name.utf8.prefix(15)) == true
  }
}
