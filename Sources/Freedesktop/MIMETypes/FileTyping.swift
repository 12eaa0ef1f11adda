// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The outcome of determining the type of a local file.
public enum FileTypeOutcome: Hashable, Sendable {
  /// Its MIME type.
  case type(MIMEType)
  /// There is no such file, or it is a dangling symbolic link.
  case missing
  /// The system denies access to the file, with the reason.
  case unreachable(reason: String)
  /// The file exists, and its type cannot be determined, with the reason.
  case unknown(reason: String)
  /// The file system did not answer in time.
  case silent
}

extension LocalFiles {
  /// Determines the type of the file at `path`, whose bytes need not be UTF-8; symbolic links are followed.
  ///
  /// The system reports directories. For other files libgio determines the type from shared-mime-info, as `gio info`
  /// does: by the name if that is sufficient, otherwise by the first bytes. The environment of the process determines
  /// the location of shared-mime-info.
  public func type(ofFileAt path: some Sequence<UInt8>) -> FileTypeOutcome {
    let path = path.map { CChar(bitPattern: $0) } + [0]
    var status = stat()
    guard stat(path, &status) == 0 else {
      return errno == ENOENT || errno == ENOTDIR ? .missing : .unreachable(reason: reason(errno))
    }
    if status.st_mode & S_IFMT == S_IFDIR { return .type(.directory) }
    return reported { $0.contentType(ofFileAt: path) }
  }

  /// Determines the type from the name of the file at `path`, without reading the file.
  public func type(ofFileNamed path: some Sequence<UInt8>) -> FileTypeOutcome {
    let bytes = Array(path)
    if bytes.last == UInt8(ascii: "/") { return .type(.directory) }
    return reported { $0.contentType(ofFileNamed: bytes.map { CChar(bitPattern: $0) } + [0]) }
  }

  private func reported(_ ask: (GIOLibrary) -> String?) -> FileTypeOutcome {
    guard let library = GIOLibrary.shared else {
      return .unknown(
        reason: "libgio, which determines file types, is not installed (Debian package libglib2.0-0)")
    }
    guard let type = ask(library).flatMap(MIMEType.init) else {
      return .unknown(reason: "libgio cannot determine its type; is shared-mime-info installed?")
    }
    return .type(type)
  }
}
