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
  /// The program is not on the PATH or not executable.
  case programNotFound(String)
  /// The program exists and is not executable.
  case programNotExecutable(String)
  /// The text cannot be written at the intended position in a key file.
  case invalidKeyFileText(String)
}

extension FreedesktopError: CustomStringConvertible {
  /// The error as a sentence for users.
  public var description: String {
    switch self {
    case .cannotRead(let path, let reason):
      "\(path) cannot be read: \(reason)"
    case .cannotWrite(let path, let reason):
      "\(path) cannot be written: \(reason); everything is as it was before"
    case .cannotRestore(let path, let reason, let after):
      "\(after); and \(path) could not be put back: \(reason). Look at that file by hand"
    case .changedMeanwhile(let path):
      "\(path) was changed by another program meanwhile; nothing was written, try again"
    case .alreadyExists(let path):
      "\(path) exists and was not written by Usher for this; move it away, or give another --id"
    case .alreadyACopy(let id, let path, let original):
      "\(path) is a copy of \(original); “usher unregister \(id)” takes it back, and then this file can be registered; or "
        + "give it another --id"
    case .installedElsewhere(let id, let path):
      "\(id) is installed already (\(path)); give this one an ID of its own (--id \(id).Devel) so that both can be "
        + "used, or --id \(id) to put it in the other's place"
    case .notAnApplication(let path, let reason):
      "\(path) is not the desktop entry of an application: \(reason)"
    case .invalidApplicationID(let text):
      "“\(text)” cannot be an application's ID; an ID is the name of a .desktop file, as org.example.Notes"
    case .unknownApplication(let id):
      "no \(id.desktopFileName) in any applications folder of XDG_DATA_HOME and XDG_DATA_DIRS"
    case .refusedScheme(let scheme, let reason):
      "the scheme “\(scheme)” is refused: \(reason)"
    case .noBrowser:
      "no application opens http and https links, so there is none that Usher could hand them on to; name one: "
        + "usher register ID --web"
    case .severalBrowsers(let http, let https):
      "http links are opened by \(http) and https links by \(https); say which is to stand behind Usher: "
        + "usher register \(http) --web, or \(https)"
    case .invalidExec(let line, let reason):
      "the Exec line “\(line)” cannot be run: \(reason)"
    case .programNotFound(let program):
      program.contains("/")
        ? "there is no program “\(program)”" : "the program “\(program)” is not found on the PATH"
    case .programNotExecutable(let path):
      "\(path) is there, but may not be executed; chmod +x \(path) lets it"
    case .invalidKeyFileText(let text):
      "“\(text)” cannot be written into a key file: it would break its line, or is not a valid name"
    }
  }
}
