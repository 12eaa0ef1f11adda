import Glibc
import Systemd

/// The process behind a connection, held so that no later one can be mistaken for it.
struct CallerProcess: Sendable {
  let handle: ProcessHandle
  let folder: ProcessFolder

  /// Lets it go on where somebody has stopped it, but neither a debugger nor a person at its terminal.
  func thaw() {
    guard folder.isStoppedInBackground else { return }
    // One that has ended meanwhile is noticed by its name.
    try? handle.send(signal: SIGCONT)
  }
}
