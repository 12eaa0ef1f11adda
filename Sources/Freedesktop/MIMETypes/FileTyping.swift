import Glibc

/// What a look at a local file tells about its type.
public enum FileTypeOutcome: Hashable, Sendable {
  /// Its MIME type.
  case type(MIMEType)
  /// There is no such file, or it is a link that leads nowhere.
  case missing
  /// The system does not let us look, and why.
  case unreachable(reason: String)
  /// There is a file, and nothing here that tells types.
  case unknown(reason: String)
  /// The file system did not answer in time.
  case silent
}

extension LocalFiles {
  /// The type of the file at `path`, whose bytes need not be UTF-8; links are followed.
  ///
  /// A folder is told by the system. All else is told by libgio from shared-mime-info, as `gio info` tells it: by the
  /// name where that is enough, else by the first bytes. The process's own environment says where shared-mime-info is.
  public func type(ofFileAt path: some Sequence<UInt8>) -> FileTypeOutcome {
    let path = path.map { CChar(bitPattern: $0) } + [0]
    var status = stat()
    guard stat(path, &status) == 0 else {
      return errno == ENOENT || errno == ENOTDIR ? .missing : .unreachable(reason: reason(errno))
    }
    if status.st_mode & S_IFMT == S_IFDIR { return .type(.directory) }
    return reported { $0.contentType(ofFileAt: path) }
  }

  /// The type that the name of the file at `path` stands for; the file itself is not looked at.
  public func type(ofFileNamed path: some Sequence<UInt8>) -> FileTypeOutcome {
    let bytes = Array(path)
    if bytes.last == UInt8(ascii: "/") { return .type(.directory) }
    return reported { $0.contentType(ofFileNamed: bytes.map { CChar(bitPattern: $0) } + [0]) }
  }

  private func reported(_ ask: (GIOLibrary) -> String?) -> FileTypeOutcome {
    guard let library = GIOLibrary.shared else {
      return .unknown(
        reason: "libgio, which tells the types of files, is not installed (Debian: libglib2.0-0)")
    }
    guard let type = ask(library).flatMap(MIMEType.init) else {
      return .unknown(reason: "libgio cannot tell its type; is shared-mime-info installed?")
    }
    return .type(type)
  }
}
