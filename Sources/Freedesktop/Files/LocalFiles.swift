// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The files of this machine, as this process can access them.
public struct LocalFiles: FileReading {
  /// The size in bytes above which a file is reported as unreadable.
  static let largestFile = 64 << 20

  /// Creates the access to the files of this machine.
  public init() {}

  /// Reads a regular file; any other kind, such as a pipe, is unreadable and never blocks.
  public func read(_ path: String) -> FileOutcome { readWithStatus(path).outcome }

  /// Reads a regular file of at most `limit` bytes; a larger one is unreadable.
  public func read(_ path: String, limit: Int) -> FileOutcome { readWithStatus(path, limit: limit).outcome }

  /// Reads a regular file, with the status of the opened file.
  public func readWithStatus(_ path: String) -> (outcome: FileOutcome, status: FileStatus?) {
    readWithStatus(path, limit: Self.largestFile)
  }

  private func readWithStatus(_ path: String, limit: Int) -> (outcome: FileOutcome, status: FileStatus?) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return (isAbsence(errno) ? .missing : .unreadable(reason: reason(errno)), nil) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return (.unreadable(reason: reason(errno)), nil) }
    let found = FileStatus(status)
    return (content(of: file, status, limit: limit), found)
  }

  private func content(of file: Int32, _ status: stat, limit: Int) -> FileOutcome {
    guard status.st_mode & S_IFMT == S_IFREG else { return .unreadable(reason: "not a regular file") }
    guard status.st_size <= limit else { return tooLarge(limit) }
    return readAll(of: file, expecting: Int(status.st_size), limit: limit)
  }

  private func tooLarge(_ limit: Int) -> FileOutcome {
    .unreadable(reason: "larger than \(limit >> 20) MiB")
  }

  /// Lists a directory.
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

  /// Returns whether a directory contains an item of this name.
  ///
  /// `nil` if the directory is not readable, or if the name may differ in a listing because it has invalid UTF-8
  /// there.
  public func has(_ name: String, in directory: String) -> Bool? {
    let isPlain = !name.isEmpty && !name.unicodeScalars.contains { "/\0\u{FFFD}".unicodeScalars.contains($0) }
    guard isPlain, access(directory, R_OK) == 0 else { return nil }
    var status = stat()
    if lstat(directory + "/" + name, &status) == 0 { return true }
    return isAbsence(errno) ? false : nil
  }

  /// Returns whether `path` exists, is not a directory, and is executable by this process.
  public func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return access(path, X_OK) == 0 && stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
  }

  /// Returns the status of the file at `path`, symbolic links followed; `nil` if there is none.
  public func status(of path: String) -> FileStatus? { FileStatus(at: path) }

  /// Returns the owner and permissions of the file at `path`, symbolic links not followed.
  public func ownership(of path: String) -> FileOwnership? { FileOwnership(at: path) }

  private func identity(ofDirectory path: String) -> DirectoryIdentity? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return DirectoryIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  private func readAll(of file: Int32, expecting size: Int, limit: Int) -> FileOutcome {
    var bytes: [UInt8] = []
    var failure: Int32 = 0
    repeat {
      // Files of /proc report a size of 0. Requesting one byte more than the size detects the end of other files.
      let room = bytes.count < size ? size - bytes.count + 1 : min(max(4_096, bytes.count), 1 << 20)
      let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        var got = Glibc.read(file, buffer.baseAddress, room)
        while got < 0, errno == EINTR { got = Glibc.read(file, buffer.baseAddress, room) }
        failure = got < 0 ? errno : 0
        count = max(got, 0)
      }
      guard failure == 0 else { return .unreadable(reason: reason(failure)) }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      // A read that returns exactly the reported size, although one byte more was requested, has reached the end.
      guard !chunk.isEmpty, size == 0 || bytes.count != size else { return .bytes(bytes) }
    } while bytes.count <= limit
    return tooLarge(limit)
  }

  private func isAbsence(_ error: Int32) -> Bool { error == ENOENT || error == ENOTDIR }
}

/// Returns the system's message for an error number.
func reason(_ error: Int32) -> String { String(cString: strerror(error)) }
