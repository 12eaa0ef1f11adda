import Glibc

/// The files of this machine, as this process may see them.
public struct LocalFiles: FileReading {
  /// Files above this size are not what this module reads.
  static let largestFile = 64 << 20

  /// The files of this machine.
  public init() {}

  /// The content of a regular file; anything else there, as a pipe, is unreadable and is not waited for.
  public func read(_ path: String) -> FileOutcome { readWithStatus(path).outcome }

  /// The same, with the status of the very file that was read.
  public func readWithStatus(_ path: String) -> (outcome: FileOutcome, status: FileStatus?) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return (isAbsence(errno) ? .missing : .unreadable(reason: reason(errno)), nil) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return (.unreadable(reason: reason(errno)), nil) }
    return (content(of: file, status), FileStatus(status))
  }

  private func content(of file: Int32, _ status: stat) -> FileOutcome {
    guard status.st_mode & S_IFMT == S_IFREG else { return .unreadable(reason: "not a regular file") }
    guard status.st_size <= Self.largestFile else { return .unreadable(reason: "larger than 64 MiB") }
    return readAll(of: file, expecting: Int(status.st_size))
  }

  /// What is in a directory.
  public func list(_ directory: String) -> DirectoryOutcome {
    guard let stream = opendir(directory) else {
      return isAbsence(errno) ? .missing : .unreadable(reason: reason(errno))
    }
    defer { closedir(stream) }
    var items: [DirectoryItem] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      guard name != ".", name != ".." else { continue }
      let kind = Int(entry.pointee.d_type)
      let mayBeDirectory = kind == DT_DIR || kind == DT_LNK || kind == DT_UNKNOWN
      items.append(
        DirectoryItem(
          name: name, directory: mayBeDirectory ? identity(ofDirectory: directory + "/" + name) : nil))
    }
    return .items(items)
  }

  /// Whether a directory has an item of this name; one that may not be listed, and a name that a list may show mended, are for the list.
  public func has(_ name: String, in directory: String) -> Bool? {
    let isPlain = !name.isEmpty && !name.unicodeScalars.contains { "/\0\u{FFFD}".unicodeScalars.contains($0) }
    guard isPlain, access(directory, R_OK) == 0 else { return nil }
    var status = stat()
    if lstat(directory + "/" + name, &status) == 0 { return true }
    return isAbsence(errno) ? false : nil
  }

  /// Whether `path` is there, is no directory, and may be executed by this process.
  public func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return access(path, X_OK) == 0 && stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
  }

  /// The status of what is at `path`, links followed.
  public func status(of path: String) -> FileStatus? { FileStatus(at: path) }

  /// Who may change what is at `path` itself.
  public func ownership(of path: String) -> FileOwnership? { FileOwnership(at: path) }

  private func identity(ofDirectory path: String) -> DirectoryIdentity? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return DirectoryIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  private func readAll(of file: Int32, expecting size: Int) -> FileOutcome {
    var bytes: [UInt8] = []
    var failure: Int32 = 0
    repeat {
      // Files of /proc say that they are empty; a byte more than a file has shows its end.
      let room = bytes.count < size ? size - bytes.count + 1 : 4_096
      let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        var got = Glibc.read(file, buffer.baseAddress, room)
        while got < 0, errno == EINTR { got = Glibc.read(file, buffer.baseAddress, room) }
        failure = got < 0 ? errno : 0
        count = max(got, 0)
      }
      guard failure == 0 else { return .unreadable(reason: reason(failure)) }
      bytes = bytes.isEmpty ? chunk : bytes + chunk
      // A file that says how long it is, and gives just that where there was room for more, is at its end.
      guard !chunk.isEmpty, size == 0 || bytes.count != size else { return .bytes(bytes) }
    } while bytes.count <= Self.largestFile
    return .unreadable(reason: "larger than 64 MiB")
  }

  private func isAbsence(_ error: Int32) -> Bool { error == ENOENT || error == ENOTDIR }
}

/// What the system says of an error number.
func reason(_ error: Int32) -> String { String(cString: strerror(error)) }
