// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import struct BrokerCore.RemoteMachine
import BusInterfaces
import Freedesktop

/// The options for another caller and for a click.
struct ExplainedCallerOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Decide as for this caller: an application's ID with :claimed (the default), :executable, :unit or :sandbox; or unknown, an unidentified program.",
      valueName: "id[:assurance]"),
    completion: Completions.applications)
  var caller: String?

  @Flag(help: "With --as: treat the caller as sandboxed (implied by :sandbox).")
  var sandboxed = false

  @Option(
    help: ArgumentHelp(
      "With --as ID: treat the application as installed for all users (system: only root can modify its files) or by the user (user). Default: as installed here.",
      valueName: "owner"), completion: .list(InstalledBy.allCases.map(\.rawValue)))
  var installed: String?

  @Option(
    help: ArgumentHelp(
      "Decide as for a link that comes from this machine, such as build.example.org.", valueName: "machine"))
  var remote: String?

  @Flag(help: "Decide as if the user had clicked the link; a sandboxed caller's click does not count.")
  var clicked = false

  /// Returns the caller that `--as` names; `nil` without that option.
  ///
  /// - Throws: `ValidationError` if the text names no caller.
  func explained() throws -> ExplainedCaller? {
    let installedBy = installed.flatMap(InstalledBy.init(rawValue:))
    guard installed == nil || installedBy != nil else {
      throw ValidationError("--installed must be system or user")
    }
    if let remote {
      guard caller == nil, installed == nil, !sandboxed else {
        throw ValidationError("--remote cannot be combined with --as, --installed and --sandboxed")
      }
      guard RemoteMachine(remote) != nil else {
        throw ValidationError("--remote needs the name of one machine: \(RemoteMachine.rule)")
      }
      return try ExplainedCaller(application: nil, remote: remote)
    }
    guard let caller else {
      if installed != nil {
        throw ValidationError("--installed needs --as ID")
      }
      if sandboxed {
        throw ValidationError("--sandboxed needs --as ID or --as unknown")
      }
      return nil
    }
    let isSandboxed = sandboxed ? true : nil
    if caller == "unknown" {
      guard installed == nil else {
        throw ValidationError("--installed needs an application ID in --as, not unknown")
      }
      return try ExplainedCaller(application: nil, isSandboxed: isSandboxed)
    }
    let colon = caller.lastIndex(of: ":")
    let id = String(caller[..<(colon ?? caller.endIndex)])
    let word = colon.map { String(caller[caller.index(after: $0)...]) }
    guard ApplicationID(id) != nil else {
      throw ValidationError("--as takes an application's ID, such as org.example.Chat:unit, or unknown")
    }
    let assurance = word.map(Assurance.init(rawValue:)) ?? .claimed
    guard let assurance, assurance != .unknown else {
      throw ValidationError(
        "the assurance in --as must be claimed, executable, unit or sandbox, not \(word ?? "")")
    }
    guard installedBy != .system || assurance != .claimed else {
      throw ValidationError(
        "--installed system needs a verified caller; use --as \(Shell.word("\(id):executable"))"
      )
    }
    return try ExplainedCaller(
      application: id, assurance: assurance, isSandboxed: isSandboxed, installedBy: installedBy)
  }
}
