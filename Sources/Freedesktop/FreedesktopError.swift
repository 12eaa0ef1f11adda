// SPDX-License-Identifier: Apache-2.0
/// An error of reading or changing the desktop's files.
///
/// `description` is a complete sentence for users: what failed, where, and the fix.
public enum FreedesktopError: Error, Hashable, Sendable {
  /// A file exists and cannot be read.
  case cannotRead(path: String, reason: String)
  /// A file could not be written; all previous writes were undone.
  case cannotWrite(path: String, reason: String)
  /// A step failed, and restoring `path` failed as well.
  case cannotRestore(path: String, reason: String, after: String)
  /// Another program changed the file between planning and writing; nothing was written.
  case changedMeanwhile(path: String)
  /// A file that would have to be overwritten was not written by Usher.
  case alreadyExists(path: String)
  /// A copy of another file, which still exists, would have to be overwritten.
  case alreadyACopy(ApplicationID, path: String, original: String)
  /// The entry from elsewhere would shadow the installed one of its ID.
  case installedElsewhere(ApplicationID, path: String)
  /// The file is not the desktop entry of an application.
  case notAnApplication(path: String, reason: String)
  /// The text is not a valid desktop-file ID.
  case invalidApplicationID(String)
  /// No data directory has an entry of this ID.
  case unknownApplication(ApplicationID)
  /// The scheme must not or cannot be registered.
  case refusedScheme(String, reason: String)
  /// No application opens web links, so Usher cannot be registered in front of one.
  case noBrowser
  /// One application opens `http` links, and another one `https` links.
  case severalBrowsers(ApplicationID, ApplicationID)
  /// The Exec line cannot be run (Desktop Entry Specification, "The Exec key").
  case invalidExec(String, reason: String)
  /// A link or a file's name would be a part of code that the program runs.
  case valueInCode(program: String)
  /// The program is not on the PATH or not executable.
  case programNotFound(String)
  /// The program exists and is not executable.
  case programNotExecutable(String)
  /// The text cannot be written at the intended position in a key file.
  case invalidKeyFileText(String, reason: String)
}

extension FreedesktopError: CustomStringConvertible {
  /// The error as a sentence for users.
  public var description: String {
    switch self {
    case .cannotRead(let path, let reason):
      "\(path) cannot be read: \(reason)"
    case .cannotWrite(let path, let reason):
      "\(path) cannot be written: \(reason); nothing was changed"
    case .cannotRestore(let path, let reason, let after):
      "\(after); restoring \(path) failed as well (\(reason)), so it still has the new content; edit it"
    case .changedMeanwhile(let path):
      "\(path) was changed by another program in the meantime, so nothing was written; try again"
    case .alreadyExists(let path):
      "\(path) already exists and was not created by Usher for this application; move the file, or use another --id"
    case .alreadyACopy(let id, let path, let original):
      "\(path) is a copy of \(original); run “usher unregister \(ShellWord.quoted("\(id)"))” first, and then register this file; or "
        + "use another --id"
    case .installedElsewhere(let id, let path):
      "\(id) is already installed (\(path)); use --id \(ShellWord.quoted("\(id).Devel")) to keep both, or "
        + "--id \(ShellWord.quoted("\(id)")) to replace the installed one"
    case .notAnApplication(let path, let reason):
      "\(path) is not the desktop entry of an application: \(reason)"
    case .invalidApplicationID(let text):
      "“\(text)” is not a valid application ID; an ID is the name of a .desktop file without the suffix, such as org.example.Notes"
    case .unknownApplication(let id):
      "\(id) is not installed: no applications directory of XDG_DATA_HOME and XDG_DATA_DIRS contains \(id.desktopFileName)"
    case .refusedScheme(let scheme, let reason):
      "the scheme “\(scheme)” cannot be registered: \(reason)"
    case .noBrowser:
      "no application opens http and https links, so Usher has no browser to pass them to; run: "
        + "usher register ID --web"
    case .severalBrowsers(let http, let https):
      "\(http) opens http links and \(https) opens https links; choose one of them, and run: "
        + "usher register \(ShellWord.quoted("\(http)")) --web, or: usher register \(ShellWord.quoted("\(https)")) --web"
    case .invalidExec(let line, let reason):
      "the Exec line “\(line.shortened(to: 200))” cannot be run: \(reason)"
    case .valueInCode(let program):
      "its Exec line inserts the link into code that \(program) runs, where it could be run as code; "
        + ExecLine.safeFormOfCode
    case .programNotFound(let program):
      program.contains("/")
        ? "the program “\(program)” does not exist" : "the program “\(program)” was not found in PATH"
    case .programNotExecutable(let path):
      "\(path) is not executable; run: chmod +x \(ShellWord.quoted(path))"
    case .invalidKeyFileText(let text, let reason):
      "“\(text)” cannot be written into a desktop file: \(reason)"
    }
  }
}
