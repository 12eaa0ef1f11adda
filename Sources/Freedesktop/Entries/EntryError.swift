// SPDX-License-Identifier: Apache-2.0
/// The reason for which GIO, and therefore Usher, does not use an existing desktop entry.
public enum EntryError: Hashable, Sendable {
  /// The file cannot be read.
  case unreadable(reason: String)
  /// A line breaks the grammar; GLib then ignores the whole file.
  case malformed(KeyFile.Diagnostic)
  /// The file is not the desktop entry of an application.
  case notAnApplication
  /// The program in `TryExec` is not found.
  case tryExecNotFound(String)
  /// The program of the Exec line is not found.
  case programNotFound(String)
  /// The program of the Exec line exists at this path and is not executable.
  case programNotExecutable(String)
  /// The Exec line cannot be split into arguments.
  case invalidExec
}

extension EntryError: CustomStringConvertible {
  /// The reason, as a part of a sentence.
  public var description: String {
    switch self {
    case .unreadable(let reason): "it cannot be read: \(reason)"
    case .malformed(let diagnostic): "\(diagnostic), so the whole file is ignored"
    case .notAnApplication:
      "it is not the entry of an application (Type=Application in a first group [Desktop Entry])"
    case .tryExecNotFound(let program): "its TryExec program \(program) does not exist"
    case .programNotFound(let program): "its program \(program) does not exist"
    case .programNotExecutable(let path):
      "its program \(path) is not executable; run: chmod +x \(ShellWord.quoted(path))"
    case .invalidExec: "its Exec line is invalid: it names no program, or a quote is not closed"
    }
  }
}

extension DesktopEntry {
  /// Returns the reason for which GIO does not load this entry; `nil` if it does.
  ///
  /// `Hidden` is not a reason here.
  public func refusal(programs: ProgramSearch) -> EntryError? {
    LaunchRequirements(of: self).refusal(programs: programs)
  }
}
