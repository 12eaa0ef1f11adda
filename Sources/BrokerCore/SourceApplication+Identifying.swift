public import Freedesktop

extension SourceApplication {
  /// Says who asked: sandbox, then unit, then executable, then the caller's own claim.
  ///
  /// A claim never overrides what was verified, and in a sandbox it may only be the application itself or a part of it
  /// (`ID.part`). Openers, shells, portals and we ourselves never name a source: they hand on what others asked for.
  ///
  /// - Parameters:
  ///   - facts: what was read, or `nil` when nothing could be read safely.
  ///   - claim: what the caller says it is.
  ///   - isInstalled: whether a desktop entry of that ID exists.
  ///   - owners: the applications whose program is this one.
  public static func identify(
    _ facts: CallerCredentials?, claim: ApplicationID?, isInstalled: (ApplicationID) -> Bool,
    owners: (_ program: CallerCredentials.Program) -> [ApplicationID]
  ) -> SourceApplication {
    guard let facts else { return .unseen }
    if case .flatpak(let info, let isConfirmed) = facts.confinement {
      // Fails closed: what is sandboxed and cannot be named is nobody, whatever it claims.
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

  /// The claim where it is a part of the application, else the application.
  private static func part(_ claim: ApplicationID?, of id: ApplicationID) -> ApplicationID {
    guard let claim, claim.rawValue.utf8.starts(with: "\(id.rawValue).".utf8) else { return id }
    return claim
  }

  /// The application that a unit is named after, or the middleman that it is.
  private static func byUnit(
    _ group: ControlGroup?, _ isInstalled: (ApplicationID) -> Bool
  ) -> SourceApplication? {
    guard let group, let unit = group.userUnit else { return nil }
    if let id = middleman(ofUnit: unit) { return .hidden(by: id) }
    guard group.isApplication else { return nil }
    // A snap of which nothing is enforced is a program like any other, which snapd's own unit names.
    if let snap = SnapName(group: unit) {
      return snap.applicationID.flatMap { isInstalled($0) ? SourceApplication($0, .unit) : nil }
    }
    guard let id = applicationID(ofUnit: unit, isInstalled: isInstalled) else { return nil }
    return isIntermediary(id) ? .hidden(by: id) : SourceApplication(id, .unit)
  }
}
