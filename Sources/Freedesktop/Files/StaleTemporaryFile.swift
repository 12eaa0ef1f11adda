import Glibc

/// The file that `AtomicFile` writes beside another one, and that a process left which was killed meanwhile.
enum StaleTemporaryFile {
  private static let infix = ".usher-"

  /// A name beside `target` that is not taken.
  static func path(beside target: String) -> String { "\(target)\(infix)\(UInt32.random(in: 0 ... .max))" }

  /// Whether a file of this name is one.
  static func isOne(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    let digits = bytes.reversed().prefix(while: \.isASCIIDigit).count
    guard (1...10).contains(digits), bytes.count > digits + infix.utf8.count else { return false }
    return bytes.dropLast(digits).reversed().starts(with: infix.utf8.reversed())
  }
}

extension Registration {
  /// The files that a registration left which was killed while it wrote.
  ///
  /// They do no harm. While the `RegistrationLock` is held none of them is in use.
  public var leftOvers: [String] {
    let list = AtomicFile(directories.userAssociationList).directory
    var found: [String] = []
    var seen: Set<DirectoryIdentity> = []
    gather(list, deep: false, &found, &seen)
    gather(directories.userApplicationDirectory, deep: true, &found, &seen)
    // A link may lead to a folder that was seen already.
    return Set(found.map(Self.realPath)).sorted()
  }

  /// Removes `leftOvers`; what cannot be removed stays.
  public func removeLeftOvers() {
    for path in leftOvers { unlink(path) }
  }

  private static func realPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private func gather(
    _ directory: String, deep: Bool, _ found: inout [String], _ seen: inout Set<DirectoryIdentity>
  ) {
    guard case .items(let items) = files.list(directory) else { return }
    for item in items {
      if let identity = item.directory {
        if deep, seen.insert(identity).inserted {
          gather(directory + "/" + item.name, deep: true, &found, &seen)
        }
      } else if StaleTemporaryFile.isOne(item.name) {
        found.append(directory + "/" + item.name)
      }
    }
  }
}
