import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import RouteTables
import Systemd

/// Reads who is behind a call, safe against process numbers that are used again.
struct CallerIdentification: Sendable {
  let bus: BusConnection

  /// What can be read about the connection `sender`; `nil` when nothing can be read safely.
  ///
  /// The process is pinned by a pidfd between two questions to the bus, and all that was read counts only if it
  /// still lives afterwards.
  ///
  /// - Throws: `AccessDenied` when the caller is another user.
  func facts(of sender: BusName) async throws(BusError) -> CallerFacts? {
    guard let first = try? await bus.credentials(of: sender) else { return nil }
    if let user = first.userID, user != getuid() {
      throw BusError(.accessDenied, "only the user whose session this is may ask")
    }
    guard let pid = first.processID, let process = ProcessHandle(pid: pid) else { return nil }
    guard let second = try? await bus.credentials(of: sender), second == first else { return nil }
    let facts = read(process)
    return process.isAlive ? facts : nil
  }

  private func read(_ process: ProcessHandle) -> CallerFacts? {
    let folder = "/proc/\(process.pid)"
    var facts = CallerFacts(userUnit: process.userUnit, executable: link("\(folder)/exe"))
    switch LocalFiles().read("\(folder)/root/.flatpak-info") {
    case .missing: break
    case .bytes(let bytes):
      // Present and without a name is still a sandbox: an empty name identifies nobody.
      facts.flatpakName = KeyFile(bytes: bytes).string(of: "name", in: "Application") ?? ""
    case .unreadable: return nil
    }
    // Its connection's name is another on a bus that was started again; the process is the same.
    if facts.scope == nil { facts.process = start(of: folder).map { "process \(process.pid) of \($0)" } }
    return facts
  }

  /// When the process began, in the kernel's ticks (proc(5), `stat`, field 22).
  private func start(of folder: String) -> String? {
    guard case .bytes(let bytes) = LocalFiles().read("\(folder)/stat") else { return nil }
    // The name, field 2, is in parentheses and may hold anything.
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ")
    guard let fields, fields.count > 19 else { return nil }
    return String(fields[19])
  }

  private func link(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let length = readlink(path, &buffer, buffer.count)
    guard length > 0, length < buffer.count else { return nil }
    return String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
