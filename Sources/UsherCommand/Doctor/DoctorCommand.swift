// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus

/// The command `usher doctor`, which reports problems of this machine, each with the command that fixes it.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Check that links reach their applications, and print each problem and the command that fixes it.",
    discussion: HelpText.discussion(
      """
      Prints one line per problem: FILE:LINE: PROBLEM; to fix it: COMMAND. Starts the broker if possible, and changes nothing without --fix. \
      Checks the bus and the broker, Usher's own desktop entry, the desktop entries of applications, their Exec lines, duplicates, AppImages and \
      mimeinfo.cache, the lists of defaults, the choices that the desktop portal has stored, openers that \
      bypass Usher, registrations, route files, the final \
      routes whose links do not reach the broker, the schemes that other machines have registered, the environment of the broker and its databases, the daemon, the server and the push distributors for notifications, GeoClue, BlueZ, curl, and \
      the machines and containers whose links open here. \
      Also lists each setting that the administrator has locked, with the file that locks it, and what Usher cannot find out on \
      this system; these lines are not problems.
      """,
      exit: [0: "no problem was found", 1: "at least one problem was found", 64: "the arguments are wrong"],
      examples: [
        "Check everything": "usher doctor", "Repair what can be repaired": "usher doctor --fix",
        "Print JSON for a program": "usher doctor --json",
      ]))

  @Flag(help: "Repair the problems that need no decision of yours, then check again.")
  var fix = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    var snapshot = SystemSnapshot()
    var findings = Self.checks.flatMap { $0(snapshot) }
    var repairs: [Repair.Outcome] = []
    if fix {
      repairs = findings.compactMap { finding in
        finding.repair.map { Repair.Outcome(finding: finding, obstacle: $0.carryOut()) }
      }
      if !repairs.isEmpty {
        snapshot = SystemSnapshot()
        findings = Self.checks.flatMap { $0(snapshot) }
      }
    }
    if json {
      var entries = Self.entries(findings, snapshot)
      if fix { entries["repairs"] = .dictionaries(repairs.map(\.entries)) }
      Console.emit(JSONText.line(entries))
    } else {
      for repair in repairs { Console.print(repair.text) }
      for finding in findings { Console.print(finding.text) }
      for note in Self.notes(snapshot) { Console.print(note.text) }
      Console.print(snapshot.locks.lines)
      Console.print(summary(findings, snapshot))
    }
    if !findings.isEmpty { throw ExitCode(1) }
  }

  /// Checks this machine, changes nothing, and returns the keys for JSON.
  static func report() -> [String: Variant] {
    let snapshot = SystemSnapshot()
    return entries(checks.flatMap { $0(snapshot) }, snapshot)
  }

  private static func entries(_ findings: [Finding], _ snapshot: SystemSnapshot) -> [String: Variant] {
    [
      "findings": .dictionaries(findings.map(\.entries)),
      "notes": .dictionaries(notes(snapshot).map(\.entries)),
      "locks": .dictionaries(snapshot.locks.entries),
      "schemes": .int64(Int64(snapshot.handlers.count)), "entries": .int64(Int64(snapshot.entries.count)),
    ]
  }

  private static func notes(_ snapshot: SystemSnapshot) -> [Note] {
    SessionCheck.notes(snapshot) + FinalRouteCheck.notes(snapshot) + RouteFileCheck.notes(snapshot)
      + NotificationCheck.notes(snapshot) + DownloadCheck.notes(snapshot) + MachineSchemeCheck.notes(snapshot)
      + RemoteCheck.notes(snapshot)
  }

  private func summary(_ findings: [Finding], _ snapshot: SystemSnapshot) -> StyledText {
    let checked = "\(snapshot.handlers.count) schemes and \(snapshot.entries.count) entries were checked"
    let fixable = fix ? 0 : findings.count { $0.repair != nil }
    let hint: StyledText =
      fixable == 0 ? "" : " \("usher doctor --fix", as: .heading) repairs \(fixable) of them."
    switch findings.count {
    case 0: return "\("No problems found", as: .good); \(checked)."
    case 1: return "\("1 problem found", as: .bad); \(checked).\(hint)"
    default: return "\("\(findings.count) problems found", as: .bad); \(checked).\(hint)"
    }
  }

  private static let checks: [@Sendable (SystemSnapshot) -> [Finding]] = [
    BrokerCheck.findings, EnvironmentCheck.findings, HandlerEntryCheck.findings, ListCheck.findings,
    DefaultCheck.findings,
    EntryCheck.findings, ExecCheck.findings, CacheCheck.findings, DuplicateCheck.findings,
    ShadowCheck.findings, AppImageCheck.findings,
    PortalCheck.findings, OpenerCheck.findings, RegistrationCheck.findings, RouteFileCheck.findings,
    FinalRouteCheck.findings, LockCheck.findings,
    SessionCheck.findings, StorageCheck.findings, NotificationCheck.findings,
    LocationCheck.findings,
    BluetoothCheck.findings, MachineSchemeCheck.findings, RemoteCheck.findings,
  ]
}
