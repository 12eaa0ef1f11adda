internal import Glibc
internal import RouteTables

extension RouteFileSource {
  /// Beyond this a route file is refused: 1 MiB.
  private static let largest = 1 << 20

  /// Reads the files, and of each folder the `*.toml` in it, without its subfolders; a file that cannot be read has an empty text.
  static func read(
    _ folders: [(folder: RouteFolder, place: Int)]
  ) -> (sources: [RouteFileSource], unreadable: [RouteFileSource], complaints: [RouteFileComplaint]) {
    var (sources, unreadable) = ([RouteFileSource](), [RouteFileSource]())
    var complaints: [RouteFileComplaint] = []
    for (folder, place) in folders {
      for path in paths(in: [folder.path]) {
        let contents = contents(of: path)
        var source = RouteFileSource(
          name: path, text: (try? contents.get()) ?? "", rank: folder.rank, folder: place)
        source.finality = folder.finality
        var status = stat()
        if stat(path, &status) == 0 { source.changed = status.st_mtim.tv_sec }
        switch contents {
        case .success: sources.append(source)
        case .failure(let complaint):
          complaints.append(complaint)
          if complaint.kind != .missing { unreadable.append(source) }
        }
      }
    }
    return (sources, unreadable, complaints)
  }

  /// The files that are read for `folders`: of each folder the `*.toml` in it; what is no folder stands for itself.
  public static func paths(in folders: [String]) -> [String] {
    folders.flatMap { path in
      guard let folder = opendir(path) else { return [path] }
      let prefix = path.hasSuffix("/") ? path : path + "/"
      return names(in: folder).map { prefix + $0 }
    }
  }

  /// The route files of an open folder, by name; closes it.
  private static func names(in folder: OpaquePointer) -> [String] {
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".toml"), !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The text of a file.
  static func contents(of path: String) -> Result<String, RouteFileComplaint> {
    func complaint(_ kind: RouteFileComplaint.Kind, _ message: String) -> Result<String, RouteFileComplaint> {
      .failure(RouteFileComplaint(kind, SourceLocation(file: path, line: 1), message))
    }
    func failed(_ what: String) -> Result<String, RouteFileComplaint> {
      let number = errno
      return complaint(
        number == ENOENT || number == ENOTDIR ? .missing : .unreadable,
        "\(what): \(String(cString: strerror(number)))")
    }
    // A FIFO must not hold us up, hence O_NONBLOCK.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return failed("it cannot be opened") }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return failed("it cannot be read") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      return complaint(.unreadable, "it is not a regular file")
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
        return complaint(.unreadable, "it is larger than a route file may be: the limit is \(largest) bytes")
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return complaint(.syntax, "it is not UTF-8: save it as UTF-8")
    }
    return .success(text)
  }
}
