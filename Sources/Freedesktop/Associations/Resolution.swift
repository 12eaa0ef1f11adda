// SPDX-License-Identifier: Apache-2.0
/// The application that opens a scheme or a MIME type, and the steps that led to it.
public struct Resolution: Hashable, Sendable {
  /// The type that was looked up, such as `x-scheme-handler/notes`, and its supertypes, nearest first.
  public let types: [String]
  /// The application that opens it; `nil` if there is none.
  public let application: DesktopEntry?
  /// Every application that a list names for the type, in the order in which they were considered.
  public let candidates: [Candidate]
  /// The applications associated with the type, best first, as `gio mime` lists them.
  public let registered: [ApplicationID]
  /// The diagnostics of the lists that were read.
  public let diagnostics: [Diagnostic]

  /// A line of an association list.
  public struct Origin: Hashable, Sendable {
    /// The list's path.
    public let path: String
    /// The line's number, from 1.
    public let line: Int
    /// The group that contains the line, such as `Default Applications`.
    public let group: String
  }

  /// An application that a list names.
  public struct Candidate: Hashable, Sendable {
    /// The name as the list has it, which should end in `.desktop`.
    public let name: String
    /// The type for which it is named: the type that was looked up, or one of its supertypes.
    public let type: String
    /// The line that names it.
    public let origin: Origin
    /// The verdict on the candidate.
    public let verdict: Verdict
  }

  /// The reason for which a candidate was chosen or skipped.
  public enum Verdict: Hashable, Sendable {
    /// It was chosen; the path is that of its entry.
    case chosen(path: String)
    /// It is usable, but another candidate precedes it.
    case behind
    /// The caller excluded it.
    case excluded
    /// No applications directory has an entry of this name.
    case notInstalled
    /// Entries of this name exist, but none is usable; the value has the reason for each.
    case unusable([Refused])
    /// A line of `[Removed Associations]` removed it.
    case removed(by: Origin)
    /// An entry of the same name in a more important directory shadows the one to which this list refers.
    case shadowed(by: String)
  }

  /// An entry that is not usable.
  public struct Refused: Hashable, Sendable {
    /// The entry's path.
    public let path: String
    /// The reason for which it is not usable.
    public let refusal: EntryError
  }

  /// A diagnostic about an association list.
  public struct Diagnostic: Hashable, Sendable {
    /// The list's path.
    public let path: String
    /// The problem that was found.
    public let problem: Problem

    /// A problem of an association list.
    public enum Problem: Hashable, Sendable {
      /// It cannot be read.
      case unreadable(reason: String)
      /// A line breaks the grammar; the whole list is ignored, as GLib ignores it.
      case malformed(KeyFile.Diagnostic)
      /// Only `mimeapps.list` without a desktop's name may have this group; the group is ignored.
      case groupNotAllowed(String)
    }
  }
}

extension Resolution.Origin: CustomStringConvertible {
  /// The location, such as `/home/ada/.config/mimeapps.list:3`.
  public var description: String { "\(path):\(line)" }
}

extension Resolution.Candidate: CustomStringConvertible {
  /// The candidate and its verdict in one line.
  public var description: String { "\(name) (\(origin), [\(origin.group)] \(type)): \(verdict)" }
}

extension Resolution.Verdict: CustomStringConvertible {
  /// The reason, as a part of a sentence.
  public var description: String {
    switch self {
    case .chosen(let path): "chosen; its entry is \(path)"
    case .behind: "usable, but another application takes precedence"
    case .excluded: "Usher itself; the next candidate is used"
    case .notInstalled: "not installed: no applications directory has an entry of this name"
    case .unusable(let refused): refused.map { "\($0.path): \($0.refusal)" }.joined(separator: "; ")
    case .removed(let origin): "removed by [\(origin.group)] in \(origin)"
    case .shadowed(let path): "\(path) overrides the desktop entry to which this list refers"
    }
  }
}

extension Resolution.Diagnostic: CustomStringConvertible {
  /// The diagnostic as a sentence for users.
  public var description: String {
    switch problem {
    case .unreadable(let reason): "\(path) cannot be read: \(reason)"
    case .malformed(let diagnostic): "\(path): \(diagnostic), so GLib ignores the whole file"
    case .groupNotAllowed(let group):
      "\(path): [\(group)] is ignored, because it is valid only in mimeapps.list"
    }
  }
}
