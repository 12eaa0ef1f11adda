import Glibc
import Systemd

/// The process behind a connection, held so that no later one can be mistaken for it.
struct PinnedProcess: Sendable {
  let handle: ProcessHandle
  let directory: ProcDirectory

  /// Lets it go on where somebody has stopped it, but neither a debugger nor a person at its terminal.
  func thaw() {
    guard directory.isStoppedInBackground else { return }
    // One that has ended meanwhile is noticed by its name.
    try? handle.send(signal: SIGCONT)
  }
}
