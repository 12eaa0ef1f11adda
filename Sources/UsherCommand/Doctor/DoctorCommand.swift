import ArgumentParser
import BusInterfaces
import DBus

/// The command `usher doctor`, which reports problems of this machine, each with the command that fixes it.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Checks the whole chain from link to application, and says what is wrong and what mends it.",
    discussion: HelpText.discussion(
      """
      A line for each finding: FILE:LINE: what is wrong; to mend it: the command. Nothing is changed; the broker is \
      started when it can be. Checked are the bus and the broker, Usher's own entry, the entries of applications and \
      the mimeinfo.cache beside them, the lists of defaults, registrations, route files, the final routes whose links do not reach the broker, and what the broker writes down. \
      What the administrator has switched off is a line each, with the file that does, and no finding.
      """,
      exit: [0: "nothing was found", 1: "something was", 64: "the command was called in a wrong way"],
      examples: ["Check everything": "usher doctor", "For a program": "usher doctor --json"]))

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let facts = SystemSnapshot()
    let findings = Self.checks.flatMap { $0(facts) }
    if json {
      Console.emit(
        JSONText.line([
          "findings": .array(of: "a{sv}", findings.map { .dictionary($0.entries) }),
          "locks": .array(of: "a{sv}", facts.locks.entries.map { .dictionary($0) }),
          "schemes": .int64(Int64(facts.handlers.count)), "entries": .int64(Int64(facts.entries.count)),
        ]))
    } else {
      for finding in findings { Console.say(finding.text) }
      Console.say(facts.locks.lines)
      Console.say(Self.summary(findings.count, facts))
    }
    if !findings.isEmpty { throw ExitCode(1) }
  }

  private static func summary(_ count: Int, _ facts: SystemSnapshot) -> StyledText {
    let checked = "\(facts.handlers.count) schemes and \(facts.entries.count) entries were checked"
    switch count {
    case 0: return "\("Nothing is wrong", as: .good); \(checked)."
    case 1: return "\("1 thing is wrong", as: .bad); \(checked)."
    default: return "\("\(count) things are wrong", as: .bad); \(checked)."
    }
  }

  private static let checks: [@Sendable (SystemSnapshot) -> [Finding]] = [
    BrokerCheck.findings, EnvironmentCheck.findings, HandlerEntryCheck.findings, ListCheck.findings,
    DefaultCheck.findings,
    EntryCheck.findings, ExecCheck.findings, CacheCheck.findings, DuplicateCheck.findings,
    ShadowCheck.findings,
    RegistrationCheck.findings, RouteFileCheck.findings, FinalRouteCheck.findings, LockCheck.findings,
    StorageCheck.findings,
  ]
}
