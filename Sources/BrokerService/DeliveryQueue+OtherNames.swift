import DBus
import Systemd

extension DeliveryQueue {
  /// What else appeared on the bus while the application's name was waited for, as the end of a sentence; empty where nothing did.
  ///
  /// A program whose ID is written in another way than its entry's takes another name, and nobody would come upon it.
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
      "; \(list) appeared meanwhile: where that is this application, its own ID must be \(id), letter by letter"
  }
}
