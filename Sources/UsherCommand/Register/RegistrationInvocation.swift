// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteFiles

/// An invocation that registers an application: `usher register` or `usher web enable`.
struct RegistrationInvocation {
  /// The schemes; if they are empty, those of the AppImage that is registered.
  var schemes: [URLScheme]
  /// Registers the browser for web links if no application is given.
  var isForWeb = false
  /// Makes the application itself the default, without Usher in front.
  var isDirect = false
  /// Registers for all users.
  var isForAllUsers = false
  /// Makes the application the default.
  var setsDefault = true
  /// Removes the choices of the portal for the schemes.
  var resetsPortal = false

  /// The outcome of the invocation.
  enum Outcome {
    case done(RegistrationReport)
    /// No file was changed, for these reasons.
    case refused([String])
  }

  /// Registers the application that `applicant` returns, verifies the result, and reverts all changes if it is wrong.
  func carryOut(_ applicant: () throws(FreedesktopError) -> Applicant?) -> Outcome {
    let desk = RegistrationService(isForAllUsers: isForAllUsers)
    if let obstacle = desk.missingPermission() { return .refused([obstacle]) }
    // A registration for all users is the administrator's own decision.
    if isDirect, !isForAllUsers, let file = Locks().file(of: .directRegistration) {
      return .refused([
        "`usher register --direct` is disabled by \(file); leave out --direct to register through the broker"
      ])
    }
    if setsDefault, !isDirect, let obstacle = desk.missingHandler { return .refused([obstacle]) }
    do throws(FreedesktopError) {
      let applicant = try applicant()
      return try desk.change { () throws(FreedesktopError) in try register(applicant, at: desk) }
    } catch {
      return .refused([error.description])
    }
  }

  private func register(
    _ applicant: Applicant?, at desk: RegistrationService
  ) throws(FreedesktopError) -> Outcome {
    let applicant =
      if let applicant { applicant } else { Applicant.installed(try desk.registration.webBrowser()) }
    var schemes = schemes
    if schemes.isEmpty, case .appImage(let image, let inside, _) = applicant {
      schemes = inside.schemes
      guard !schemes.isEmpty else {
        return .refused(["the desktop entry of \(image.path) declares no scheme; add --scheme notes"])
      }
    }
    let plan = try desk.registration.plan(
      registering: applicant, for: schemes, directly: isDirect,
      setsDefault: setsDefault, forWeb: isForWeb, on: Timestamp.now)
    guard plan.disagreements.isEmpty else {
      return .refused(
        plan.disagreements.map(\.description) + [
          "nothing was written; fix that list, or choose another scheme"
        ])
    }
    try plan.edits.apply()
    let proof = RegistrationVerification(of: plan, at: desk)
    guard proof.failures.isEmpty else {
      return .refused(proof.failures + [putBack(plan, desk.registration)])
    }
    var report = RegistrationReport(plan: plan, proof: proof, isForAllUsers: isForAllUsers)
    if let id = plan.application,
      let entry = try? ApplicationCatalog(directories: desk.directories).entry(id)
    {
      let services = SystemSnapshot.services(desk.directories, LocalFiles())
      report.busStart = ActivationCheck.obstacle(
        to: entry, of: id, services: services, directories: desk.directories, programs: desk.programs)
    }
    if !isForAllUsers { report.portal = PortalReport(for: plan, at: desk, resets: resetsPortal) }
    return .done(report)
  }

  /// Restores the files that were written, and returns a sentence about the result.
  private func putBack(_ plan: RegistrationPlan, _ registration: Registration) -> String {
    do throws(FreedesktopError) {
      do throws(FreedesktopError) {
        try plan.edits.reversed.apply()
        return "all files are unchanged"
      } catch {
        guard case .changedMeanwhile = error else { throw error }
        // Changes that other programs made meanwhile are preserved; only Usher's are removed.
        try registration.plan(unregistering: plan.application, from: plan.schemes).edits.apply()
        return "the changes were reverted; changes that another program made meanwhile are kept"
      }
    } catch {
      return
        "\(error); “usher unregister \(Shell.word(plan.application?.rawValue ?? "ID"))\(isForAllUsers ? " --system" : "")” reverts it"
    }
  }
}
