// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Interpreters
internal import RouteTables

extension RouteFileSource {
  /// The maximum size of a route file in bytes.
  private static let largest = 1 << 20

  /// Reads files, and the `*.toml` files of directories without subdirectories; the text of an unreadable file is empty.
  static func read(
    _ directories: [(directory: RouteDirectory, place: Int)]
  ) -> (sources: [RouteFileSource], unreadable: [RouteFileSource], diagnostics: [RouteFileDiagnostic]) {
    var (sources, unreadable) = ([RouteFileSource](), [RouteFileSource]())
    var diagnostics: [RouteFileDiagnostic] = []
    for (directory, place) in directories {
      for path in paths(in: [directory.path]) {
        let contents = contents(of: path)
        var source = RouteFileSource(
          name: path, text: (try? contents.get()) ?? "", rank: directory.rank, directory: place)
        source.finality = directory.finality(ofFile: path)
        source.onlyDenies = directory.onlyDenies(inFile: path)
        source.writable = directory.filesOfOthers[FilePath(path)]
        source.changed = changed(path)
        switch contents {
        case .success: sources.append(source)
        case .failure(let diagnostic):
          diagnostics.append(diagnostic)
          if diagnostic.kind != .missing { unreadable.append(source) }
        }
      }
      guard let name = opendir(directory.path).flatMap({ names(in: $0) })?.first(where: { !$0.isUTF8 }) else {
        continue
      }
      // The path is not the file's, so the directory stands for it.
      diagnostics.append(
        RouteFileDiagnostic(
          .unreadable, at: SourceLocation(file: directory.path, line: 1),
          "the name of the file `\(name.text)` is not UTF-8, so the file is not read: rename it",
          command: "ls -b \(ShellCode.word(directory.path))"))
      var source = RouteFileSource(name: directory.path, text: "", rank: directory.rank, directory: place)
      source.finality = directory.finality
      source.changed = changed(directory.path)
      unreadable.append(source)
    }
    return (sources, unreadable, diagnostics)
  }

  /// Returns the time since which a path has its content, owner and mode, in seconds since 1970; 0 if there is nothing.
  ///
  /// This is the time of the last change of the inode. A program that copies a file can set the modification time to any other.
  static func changed(_ path: String) -> Int {
    var (link, target) = (stat(), stat())
    guard lstat(path, &link) == 0 else { return 0 }
    return max(link.st_ctim.tv_sec, stat(path, &target) == 0 ? target.st_ctim.tv_sec : 0)
  }

  /// Returns the files to read: the `*.toml` files of each directory, and all paths that are not directories.
  ///
  /// A file whose name is not UTF-8 has no path as text and is omitted.
  public static func paths(in directories: [String]) -> [String] {
    directories.flatMap { path in
      // A directory that cannot be listed is read like a file, which fails and reports why.
      guard let directory = opendir(path), let names = names(in: directory) else { return [path] }
      let prefix = path.hasSuffix("/") ? path : path + "/"
      return names.filter(\.isUTF8).map { prefix + $0.text }
    }
  }

  /// Returns the paths in directories that look like route files and are not read: names in upper case, and subdirectories with `*.toml` files.
  public static func skippedPaths(in directories: [String]) -> [String] {
    directories.flatMap { path -> [String] in
      let prefix = path.hasSuffix("/") ? path : path + "/"
      return allNames(in: path).filter { name in
        guard !isHidden(name) else { return false }
        var status = stat()
        guard stat(prefix + name, &status) == 0 else { return false }
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        return isDirectory
          ? !isTOML(name) && allNames(in: prefix + name).contains(where: isTOML)
          : isTOML(name.lowercased()) && !isTOML(name)
      }.map { prefix + $0 }
    }
  }

  // By bytes, because a combining mark beside a full stop belongs to the same character.
  private static func isHidden(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") }

  private static func isTOML(_ name: String) -> Bool { name.utf8.suffix(5).elementsEqual(".toml".utf8) }

  /// Returns the sorted names in a directory; empty if it cannot be listed.
  private static func allNames(in path: String) -> [String] {
    opendir(path).flatMap { names(in: $0) { _ in true } }?.map(\.text) ?? []
  }

  /// Returns the sorted names of the route files in an open directory, and closes it; `nil` after an error.
  ///
  /// In a name that is not UTF-8, U+FFFD replaces the bytes with the error.
  private static func names(
    in directory: OpaquePointer,
    where isWanted: (String) -> Bool = { Self.isTOML($0) && !Self.isHidden($0) }
  ) -> [(text: String, isUTF8: Bool)]? {
    defer { closedir(directory) }
    var names: [(text: String, isUTF8: Bool)] = []
    while true {
      errno = 0
      guard let entry = readdir(directory) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { pointer in
          (text: String(cString: pointer), isUTF8: String(validatingCString: pointer) != nil)
        }
      }
      if isWanted(name.text) { names.append(name) }
    }
    return errno == 0 ? names.sorted { $0.text < $1.text } : nil
  }

  /// Returns whether no file exists at `path`.
  ///
  /// A dangling symbolic link counts as present, and so does a path below a dangling link or below a file that is not a
  /// directory, because the administrator intended a file there. A path that cannot be examined also counts as present.
  static func isAbsent(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) != 0, errno == ENOENT || errno == ENOTDIR, lstat(path, &status) != 0 else {
      return false
    }
    let parent = parent(of: path)
    guard lstat(parent, &status) == 0 else { return true }
    return stat(parent, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func parent(of path: String) -> String {
    path.unicodeScalars.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Returns the error of a path that leads nowhere although it is not absent.
  private static func brokenLink(at path: String) -> String {
    var status = stat()
    let link = lstat(path, &status) == 0 ? path : parent(of: path)
    guard lstat(link, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
      return "\(link) is not a directory: create the directory, or remove the file"
    }
    return "\(link) is a symbolic link that leads nowhere: create its target, or remove the link"
  }

  /// Returns the shell command that lets all users read a file or list a directory of root; `nil` if they can, or if it is not root's.
  ///
  /// A group of users that may read it counts as all users. The directories above it are not examined.
  static func correctionForUsers(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid == 0 else { return nil }
    let needed: mode_t = status.st_mode & S_IFMT == S_IFDIR ? 0o5 : 0o4
    let isForGroup = status.st_gid != 0 && status.st_mode >> 3 & needed == needed
    return isForGroup || status.st_mode & needed == needed ? nil : permitting(path)
  }

  /// Returns the shell command that lets all users read a file or list a directory; `nil` if a directory above it forbids that, too.
  private static func permitting(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return "chmod \(status.st_mode & S_IFMT == S_IFDIR ? "a+rx" : "a+r") \(ShellCode.word(path))"
  }

  /// Reads the text of a file.
  static func contents(of path: String) -> Result<String, RouteFileDiagnostic> {
    func diagnostic(_ kind: RouteFileDiagnostic.Kind, _ message: String) -> Result<
      String, RouteFileDiagnostic
    > {
      .failure(RouteFileDiagnostic(kind, at: SourceLocation(file: path, line: 1), message))
    }
    func failed(_ what: String) -> Result<String, RouteFileDiagnostic> {
      let number = errno
      let message = "\(what): \(String(cString: strerror(number)))"
      guard number == ENOENT || number == ENOTDIR else {
        return .failure(
          RouteFileDiagnostic(
            .unreadable, at: SourceLocation(file: path, line: 1), message,
            command: number == EACCES ? permitting(path) : nil))
      }
      return isAbsent(path) ? diagnostic(.missing, message) : diagnostic(.unreadable, brokenLink(at: path))
    }
    // O_NONBLOCK, because opening a FIFO would block otherwise.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return failed("it cannot be opened") }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return failed("it cannot be read") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      return diagnostic(.unreadable, "it is not a regular file")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return failed("it cannot be read") }
      guard count > 0 else { break }
      bytes += buffer[..<count]
      guard bytes.count <= largest else {
        return diagnostic(.unreadable, "it exceeds the size limit of route files, \(largest) bytes")
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let (line, column, byte) = firstInvalid(bytes)
      return .failure(
        RouteFileDiagnostic(
          .syntax, at: SourceLocation(file: path, line: line, column: column),
          "it is not UTF-8, because of the byte 0x\(String(byte, radix: 16, uppercase: true)): save it as UTF-8"
        ))
    }
    return .success(text)
  }

  /// Returns the position and the value of the first byte that is not part of a character in UTF-8.
  private static func firstInvalid(_ bytes: [UInt8]) -> (line: Int, column: Int, byte: UInt8) {
    var (parser, rest) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator())
    var (line, column, offset) = (1, 1, 0)
    while case .valid(let character) = parser.parseScalar(from: &rest) {
      offset += character.count
      (line, column) = character.first == UInt8(ascii: "\n") ? (line + 1, 1) : (line, column + 1)
    }
    return (line, column, offset < bytes.count ? bytes[offset] : 0)
  }
}
