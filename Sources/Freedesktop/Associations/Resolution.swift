/// Which application opens a scheme or a type, and how that came about.
public struct Resolution: Hashable, Sendable {
  /// The type that was looked up, as `x-scheme-handler/notes`, and those that it is a kind of, nearest first.
  public let types: [String]
  /// The application that opens it; `nil` when there is none.
  public let application: DesktopEntry?
  /// Every application that some list names for the type, in the order in which they were considered.
  public let candidates: [Candidate]
  /// The applications associated with the type, best first, as `gio mime` lists them.
  public let registered: [ApplicationID]
  /// What is wrong with the lists that were read.
  public let diagnostics: [Diagnostic]

  /// A line of a list.
  public struct Origin: Hashable, Sendable {
    /// The list's path.
    public let path: String
    /// The line's number, from 1.
    public let line: Int
    /// The group the line stands in, as `Default Applications`.
    public let group: String
  }

  /// An application that a list names.
  public struct Candidate: Hashable, Sendable {
    /// The name as the list has it, which should end with `.desktop`.
    public let name: String
    /// The type for which it is named: the one that was looked up, or one that it is a kind of.
    public let type: String
    /// The line that names it.
    public let origin: Origin
    /// What became of it.
    public let verdict: Verdict
  }

  /// Why a candidate was chosen or passed over.
  public enum Verdict: Hashable, Sendable {
    /// It opens what was looked up; the path is that of its entry.
    case chosen(path: String)
    /// It would do, but another one comes first.
    case behind
    /// The caller did not want it.
    case excluded
    /// No applications folder has an entry of this name.
    case notInstalled
    /// There are entries of this name, and none can be used; each with its reason.
    case unusable([Refused])
    /// A line of `[Removed Associations]` took it out.
    case removed(by: Origin)
    /// An entry of the same name in a more important folder hides the one that this list speaks of.
    case shadowed(by: String)
  }

  /// An entry that was not taken.
  public struct Refused: Hashable, Sendable {
    /// The entry's path.
    public let path: String
    /// Why it was not taken.
    public let refusal: EntryError
  }

  /// Something wrong with a list.
  public struct Diagnostic: Hashable, Sendable {
    /// The list's path.
    public let path: String
    /// What is wrong.
    public let problem: Problem

    /// What can be wrong with a list.
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
  /// The place, as `/home/ada/.config/mimeapps.list:3`.
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
    case .behind: "usable, but another one comes first"
    case .excluded: "Usher itself; what stands behind it is asked"
    case .notInstalled: "not installed: no applications folder has an entry of this name"
    case .unusable(let refused): refused.map { "\($0.path): \($0.refusal)" }.joined(separator: "; ")
    case .removed(let origin): "taken out by [\(origin.group)] in \(origin)"
    case .shadowed(let path): "\(path) hides the entry that this list speaks of"
    }
  }
}

extension Resolution.Diagnostic: CustomStringConvertible {
  /// The sentence a person reads.
  public var description: String {
    switch problem {
    case .unreadable(let reason): "\(path) cannot be read: \(reason)"
    case .malformed(let diagnostic): "\(path): \(diagnostic), so GLib ignores the whole file"
    case .groupNotAllowed(let group): "\(path): [\(group)] is ignored, only mimeapps.list itself may have it"
    }
  }
}
