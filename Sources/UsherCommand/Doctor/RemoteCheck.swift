// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Glibc
import RemoteProtocol

/// A check that links of connected machines and containers reach this desktop, and that links of this login reach the desktop of its user.
enum RemoteCheck {
  private static let check = "remote"

  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    let remote = snapshot.remote
    return remote.machines.filter { $0.state != .connected }.map(disconnected)
      + remote.misnamedUnits.map(misnamed)
      + (remote.hasRelayProgram ? [] : [missingProgram])
      + (remote.unservedSocket.map { [unserved($0)] } ?? [])
  }

  private static func disconnected(_ known: KnownMachine) -> Finding {
    let name = known.machine.name
    guard !known.isContainer else {
      let reason =
        switch known.state {
        case .silent: "does not answer"
        case .stopped: "is stopped until the next login"
        case .failed: "has failed"
        case .connected, .disconnected: "does not run"
        }
      return Finding(
        check: check, message: "links of \(name) do nothing, because its relay \(reason)",
        command: Shell.command("systemctl", "--user", "restart", ContainerRelay(of: known.machine).unit))
    }
    let reason = known.state == .silent ? "ssh or the relay does not answer" : "the connection was lost"
    return Finding(
      check: check,
      message: "links of \(name) do nothing until it is connected again, because \(reason)",
      command: "\(Shell.command("usher", "remote", "disconnect", name)) && "
        + Shell.command(["usher", "remote", "connect"] + known.options + [known.host]))
  }

  private static func misnamed(_ unit: ContainerUnit) -> Finding {
    Finding(
      check: check,
      message:
        "\(unit.name) is the relay of no container: the name of a container has lower-case letters there, and no “container:” before it",
      command: unit.correction)
  }

  private static var missingProgram: Finding {
    Finding(
      check: check, message: "usher-remote is missing, so no machine can be connected",
      command: BrokerCheck.install)
  }

  private static func unserved(_ path: String) -> Finding {
    Finding(
      check: check,
      message:
        "links of this session do nothing: \(RemoteSocket.variable) leads them to \(path), where no relay answers",
      command: "unset \(RemoteSocket.variable)")
  }

  // MARK: Notes

  static func notes(_ snapshot: SystemSnapshot) -> [Note] {
    var notes: [String] = []
    if snapshot.remote.isLoginWithoutDesktop {
      notes.append(
        "links of this login open on this machine, because no desktop is connected to it; log in with usher ssh to open them on yours"
      )
    }
    if !snapshot.remote.machines.isEmpty, snapshot.bus.obstacle == nil, !canAsk(snapshot) {
      notes.append(
        "no notification server with buttons and no zenity can ask about links of other machines, so sign-ins, and links that no rule "
          + "allows, are refused unless the desktop's portal can ask; sudo apt install zenity")
    }
    return notes.map { Note(check: check, message: $0) }
  }

  private static func canAsk(_ snapshot: SystemSnapshot) -> Bool {
    if snapshot.programs.find("zenity") != nil { return true }
    return switch snapshot.notifications.server {
    case .running(_, let capabilities): capabilities.contains("actions")
    case .activatable: true
    case .missing, .failing: false
    }
  }
}

/// The machines whose links open here, and the relays to which links of this session lead.
struct RemoteStatus {
  /// The machines and containers whose links open on this desktop.
  let machines: [KnownMachine]
  /// The units of relays that cannot run because of their names.
  let misnamedUnits: [ContainerUnit]
  /// A Boolean value that indicates whether the program of the relay is installed.
  let hasRelayProgram: Bool
  /// The socket to which the user leads all links, if no relay answers there; otherwise `nil`.
  let unservedSocket: String?
  /// A Boolean value that indicates whether this is a remote login whose links reach no other desktop.
  let isLoginWithoutDesktop: Bool

  /// Reads the sockets to which the environment leads; changes nothing.
  static func gathered(_ environment: [String: String]) -> RemoteStatus {
    let candidates = RemoteSocket.candidates { environment[$0] }
    let isReached = candidates.contains(where: RemoteSocket.isServed)
    let chosen = environment[RemoteSocket.variable].flatMap { $0.isEmpty ? nil : $0 }
    let units = ContainerUnit.gathered()
    return RemoteStatus(
      machines: environment["XDG_RUNTIME_DIR"].map { KnownMachine.all(in: $0, units) } ?? [],
      misnamedUnits: units.filter { $0.machine == nil && ($0.isEnabled || $0.hasFailed) },
      hasRelayProgram: UserEnvironment.program(besideThis: "usher-remote").map { access($0, X_OK) == 0 }
        ?? false,
      unservedSocket: isReached ? nil : chosen,
      isLoginWithoutDesktop: environment["SSH_CONNECTION"] != nil && chosen == nil && !isReached)
  }
}
