// SPDX-License-Identifier: Apache-2.0
/// The changes of a registration or unregistration, planned and checked before anything is written.
public struct RegistrationPlan: Hashable, Sendable {
  /// The application; `nil` if there is nothing to unregister.
  public let application: ApplicationID?
  /// The schemes to be registered, or those whose registration is to be removed.
  public let schemes: [URLScheme]
  /// Indicates whether the application is the default itself, without Usher in front.
  public let isDirect: Bool
  /// The application's Exec line; `nil` if it has none, or if there is nothing to register.
  public let exec: String?
  /// The application that opened each scheme before; absent if there was none.
  public let formers: [URLScheme: ApplicationID]
  /// The edits, in an order that never leaves a default without its entry.
  public let edits: FileEdits
  /// The constructs in the application's Exec line that may not work with other launchers.
  public let warnings: [ExecLine.Warning]
  /// The path of the copy or generated entry whose manual edits are overwritten; `nil` if nothing is lost.
  public var lostEdits: String?
  /// The path of the file from which the application's entry is copied; `nil` if it is not a copy.
  public var original: String?
  /// The paths of the copies and generated entries that have no registered scheme left, and are kept because they were edited.
  public var kept: [String] = []
  /// The schemes that will not resolve as intended after the edits; empty on success.
  public let disagreements: [Disagreement]
  /// Indicates whether the application becomes the default; otherwise its entry only lists the schemes.
  public var setsDefault = true

  /// A scheme that another application still opens although everything was written.
  public struct Disagreement: Hashable, Sendable {
    /// The scheme.
    public let scheme: URLScheme
    /// The application that should open it.
    public let expected: ApplicationID
    /// The actual resolution, with each candidate.
    public let resolution: Resolution
  }
}

extension RegistrationPlan.Disagreement: CustomStringConvertible {
  /// The disagreement as a sentence for users.
  public var description: String {
    let found = resolution.application?.id?.desktopFileName ?? "no application"
    let chosen = resolution.candidates.first { if case .chosen = $0.verdict { true } else { false } }
    let list = chosen.map { " (\($0.origin))" } ?? ""
    let about = resolution.candidates.first { $0.name == expected.desktopFileName }
    let why = about.map { ": \($0)" } ?? ": no list names it"
    return "\(scheme): would be opened by \(found)\(list) instead of \(expected.desktopFileName)\(why)"
  }
}

/// The application to be registered.
public enum Applicant: Hashable, Sendable {
  /// An installed application.
  case installed(ApplicationID)
  /// The entry at an absolute path, inside an applications directory or not.
  ///
  /// With an ID, its copy in the user's directory gets that ID instead of the file's name.
  case file(String, id: ApplicationID? = nil)
  /// An AppImage, and the desktop entry inside it, whose name is the ID unless another one is given.
  ///
  /// The ID therefore stays the same when the file is moved or replaced by another version.
  case appImage(AppImage, AppImageEntry, id: ApplicationID? = nil)
  /// A program without an entry: its display name, the arguments of its command with field codes, and its ID.
  ///
  /// Without an ID it gets `usher-` and its name, and a distinguishing suffix if another program has that ID. The
  /// entry declares that it implements `implements`.
  case program(name: String, command: [String], id: ApplicationID? = nil, implements: [String] = [])
}
