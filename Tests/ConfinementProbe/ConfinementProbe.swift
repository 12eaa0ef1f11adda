// SPDX-License-Identifier: Apache-2.0
import Glibc
import RemoteLinks

/// Tries, as a relay that an attacker controls would, what the restrictions of a relay forbid, and prints what succeeds.
///
/// Its arguments are the path of a socket, a file that the user may read and write, a program, and a TCP port at which something listens;
/// with `free` after these, nothing is restricted.
@main
struct ConfinementProbe {
  static func main() {
    let words = CommandLine.arguments
    guard words.count >= 5, let port = UInt16(words[4]) else { exit(64) }
    if words.last != "free" {
      for reason in RelayConfinement.begin(socketAt: words[1]) { print("missing: \(reason)") }
    }
    func attempt(_ what: String, _ isPossible: Bool) { if isPossible { print(what) } }
    attempt("read a file of the user", open(words[2], O_RDONLY) >= 0)
    attempt("write a file of the user", open(words[2], O_WRONLY) >= 0)
    attempt("remove a file of the user", unlink(words[2]) == 0)
    attempt("create a file", open("\(words[2]).new", O_CREAT | O_WRONLY, 0o600) >= 0)
    attempt("read the environment of the parent", open("/proc/\(getppid())/environ", O_RDONLY) >= 0)
    attempt("signal its parent", kill(getppid(), 0) == 0)
    var process: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(words[3]), nil]
    attempt("start a program", posix_spawn(&process, words[3], nil, nil, &arguments, environ) == 0)
    attempt(
      "make memory executable",
      mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
    attempt("use a datagram socket", socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0) >= 0)
    attempt("use a raw socket", socket(AF_PACKET, Int32(SOCK_RAW.rawValue), 0) >= 0)
    attempt("connect to a port", connects(to: port))
    var key: [UInt8] = [UInt8(ascii: "x")]
    attempt("type at the terminal", ioctl(STDIN_FILENO, UInt(TIOCSTI), &key) == 0)
    attempt(
      "change a limit",
      {
        var limit = rlimit(rlim_cur: 9, rlim_max: 9); return setrlimit(__rlimit_resource_t(4), &limit) == 0
      }())
    // What a relay does.
    let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: words[1].utf8.prefix($0.count - 1)) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    print(isBound && listen(listening, 1) == 0 && unlink(words[1]) == 0 ? "listened" : "cannot listen")
    if listens() { print("listened at a port") }
    fflush(nil)
  }

  /// Listens at a port of the loopback interface, as for the answer of a sign-in.
  private static func listens() -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && listen(descriptor, 1) == 0
      }
    }
  }

  private static func connects(to port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
