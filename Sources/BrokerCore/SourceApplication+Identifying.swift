// SPDX-License-Identifier: Apache-2.0
public import Freedesktop

extension SourceApplication {
  /// Identifies the source application: by sandbox, then by unit, then by executable, then by the caller's claim.
  ///
  /// A claim never overrides a verified identity. In a sandbox it may only name the application itself or a part of it
  /// (`ID.part`). Openers, shells, portals and the broker itself are never a source, because they forward the requests
  /// of other programs.
  ///
  /// - Parameters:
  ///   - facts: The credentials, or `nil` if they could not be read safely.
  ///   - claim: The ID that the caller claims.
  ///   - isInstalled: Returns whether a desktop entry with an ID exists.
  ///   - owners: Returns the applications that start a program.
  public static func identify(
    _ facts: CallerCredentials?, claim: ApplicationID?, isInstalled: (ApplicationID) -> Bool,
    owners: (_ program: CallerCredentials.Program) -> [ApplicationID]
  ) -> SourceApplication {
    guard let facts else { return .unseen }
    if let machine = facts.machine { return .remote(machine) }
    if case .flatpak(let info, let isConfirmed) = facts.confinement {
      // Fails closed: a sandboxed caller without a valid name is unidentified, whatever it claims.
      guard let id = info.application else { return .unseen }
      return SourceApplication(part(claim, of: id), isConfirmed ? .sandbox : .claimed).sandboxed
    }
    if let (snap, isEnforced) = facts.confiningSnap {
      guard let id = snap?.applicationID else { return .unseen }
      if isEnforced { return SourceApplication(part(claim, of: id), .sandbox).sandboxed }
      return isInstalled(id) ? SourceApplication(id, .unit).sandboxed : .unseen
    }
    let unit = byUnit(facts.group, isInstalled)
    guard facts.confinement == nil else { return (unit ?? .unknown).sandboxed }
    if let unit, unit.id != nil { return unit }
    if let program = facts.program, !isGenericLauncher(program.path) {
      let candidates = owners(program)
      if let only = candidates.first, candidates.count == 1, !isIntermediary(only) {
        return SourceApplication(only, .executable)
      }
    }
    if let claim { return SourceApplication(claim, .claimed) }
    if let unit { return unit }
    return facts.program.flatMap { middleman(ofProgram: $0.path) }.map(SourceApplication.hidden(by:))
      ?? .unknown
  }

  /// Returns the claim if it is a part of the application, otherwise the application.
  private static func part(_ claim: ApplicationID?, of id: ApplicationID) -> ApplicationID {
    guard let claim, claim.rawValue.utf8.starts(with: "\(id.rawValue).".utf8) else { return id }
    return claim
  }

  /// Returns the application that a unit is named after, or an unidentified source behind an intermediary.
  private static func byUnit(
    _ group: ControlGroup?, _ isInstalled: (ApplicationID) -> Bool
  ) -> SourceApplication? {
    guard let group, let unit = group.userUnit else { return nil }
    if let id = middleman(ofUnit: unit) { return .hidden(by: id) }
    guard group.isApplication else { return nil }
    // An unconfined snap is a program like any other, and snapd's own unit names it.
    if let snap = SnapName(group: unit) {
      return snap.applicationID.flatMap { isInstalled($0) ? SourceApplication($0, .unit) : nil }
    }
    guard let id = applicationID(ofUnit: unit, isInstalled: isInstalled) else { return nil }
    return isIntermediary(id) ? .hidden(by: id) : SourceApplication(id, .unit)
  }
}
