import DBus
import Systemd

extension DeliveryQueue {
  /// Returns the other names that appeared on the bus while the broker waited for the application's name.
  ///
  /// The result is the end of a sentence, and empty if there are none. It helps to find a program that acquires a name
  /// other than the ID of its entry.
  func namesTaken(since begin: UInt64) async -> String {
    guard let names = try? await dependencies.bus.call(BusDaemon.listNames, at: .bus) else { return "" }
    var others: [String] = []
    for name in names.compactMap({ BusName($0) }) where !name.isUnique && name != busName {
      guard let pid = try? await dependencies.bus.credentials(of: name).processID,
        let startTime = ProcDirectory(of: pid)?.startTime, startTime >= begin
      else { continue }
      others.append(name.rawValue)
    }
    guard !others.isEmpty else { return "" }
    let list = others.sorted().joined(separator: ", ")
    return
      "; \(list) appeared meanwhile; if that is this application, its bus name must be exactly \(id)"
  }
}
