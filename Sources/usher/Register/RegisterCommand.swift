import ArgumentParser
import Freedesktop

/// `usher register`: makes an application the one that opens a scheme.
struct RegisterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "register",
    abstract: "Makes an application the one that opens a scheme's links.",
    discussion: """
      The application's own desktop entry gets the scheme, and your mimeapps.list gets Usher in front of it; what was \
      the default before stays behind it. Then Usher's own rules, gio and xdg-mime are asked, and what each answers is \
      said: when they do not answer as intended, everything is put back. Programs of one --name get an entry each. \
      Exit status: 0 done, 1 refused, and nothing is changed.

      Examples:
        usher register org.example.Notes --scheme notes --scheme memo
        usher register ./org.example.Notes.desktop --id org.example.Notes.Devel --scheme notes
        usher register --name "My Notes" --exec "my-notes --open %u" --scheme notes
      """)

  @OptionGroup var applicant: ApplicantArguments

  @Option(help: ArgumentHelp("A scheme, as notes; may be given more than once.", valueName: "scheme"))
  var scheme: [URLScheme] = []

  @Flag(help: "Make the application itself the default, without Usher's broker in between.")
  var direct = false

  func validate() throws {
    guard !scheme.isEmpty else { throw ValidationError("Say which links: --scheme notes") }
  }

  func run() throws {
    let desk = RegistrationDesk()
    var reasons: [String] = []
    do throws(FreedesktopError) {
      if !direct, let obstacle = desk.missingHandler {
        reasons = [obstacle]
      } else {
        let applicant = try applicant.applicant()
        reasons = try desk.change { () throws(FreedesktopError) in try register(applicant, at: desk) }
      }
    } catch {
      reasons = [error.description]
    }
    try Failure.report(reasons)
  }

  /// Why it was not done; empty when it was.
  private func register(
    _ applicant: Applicant, at desk: RegistrationDesk
  ) throws(FreedesktopError) -> [String] {
    let plan = try desk.registration.plan(
      registering: applicant, for: scheme, directly: direct, on: Moment.now)
    guard plan.disagreements.isEmpty else {
      return plan.disagreements.map(\.description) + [
        "nothing was written; mend that list, or choose another scheme"
      ]
    }
    try plan.edits.apply()
    let proof = RegistrationProof(of: plan, by: desk.registration, desk.programs)
    guard proof.failures.isEmpty else {
      return proof.failures + [Self.putBack(plan, desk.registration)]
    }
    tell(plan, proof)
    return []
  }

  /// Puts back what was written, and says what became of that.
  private static func putBack(_ plan: RegistrationPlan, _ registration: Registration) -> String {
    do throws(FreedesktopError) {
      do throws(FreedesktopError) {
        try plan.edits.reversed.apply()
        return "all files are as they were before"
      } catch {
        guard case .changedMeanwhile = error else { throw error }
        // What others wrote meanwhile is theirs; only ours comes off.
        try registration.plan(unregistering: plan.application, from: plan.schemes).edits.apply()
        return "what was written is taken out again; what another program wrote meanwhile stays"
      }
    } catch {
      return "\(error); “usher unregister \(plan.application?.rawValue ?? "")” takes it back"
    }
  }

  /// What will not work without Usher in between.
  private func limits(of plan: RegistrationPlan) -> [XDGOpenLimit] {
    guard plan.isDirect, let exec = plan.exec, let line = try? ExecLine(exec) else { return [] }
    return XDGOpenLimit.of(exec, line)
  }

  private func tell(_ plan: RegistrationPlan, _ proof: RegistrationProof) {
    let application = plan.application?.rawValue ?? ""
    for warning in plan.warnings { Console.warn("\(application): \(warning.sentence)") }
    for warning in proof.warnings { Console.warn(warning) }
    for limit in limits(of: plan) { Console.warn("\(application): \(limit.sentence)") }
    for scheme in plan.schemes {
      let former = plan.formers[scheme].map(\.rawValue).flatMap { $0 == application ? nil : $0 }
      let before = former.map { ", before by \($0), which stands behind it" } ?? ""
      Console.say("\(scheme): links are opened by \(application) now\(before)")
      for answer in proof.answers[scheme] ?? [] { Console.say("  \(answer)") }
    }
  }
}
