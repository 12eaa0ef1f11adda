// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import Fuzzing

/// The input is a desktop: files after lines of the form `@path`, which the resolver reads.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzDesktop(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let files = InputFiles(FuzzInput(start, count).bytes)
  let directories = BaseDirectories(environment: [
    "HOME": "/h", "XDG_CURRENT_DESKTOP": "GNOME:KDE", "XDG_DATA_DIRS": "/d:/e", "XDG_CONFIG_DIRS": "/c",
  ])
  let programs = ProgramSearch(path: "/bin", files: files)
  let resolver = ApplicationResolver(directories: directories, programs: programs, files: files)
  let single = ApplicationResolver(
    directories: directories, programs: programs, files: files, isForOneAnswer: true)
  for scheme in resolver.schemes.prefix(8) + [URLScheme("notes")].compactMap({ $0 }) {
    let resolution = resolver.resolve(scheme)
    let chosen = resolution.candidates.filter { if case .chosen = $0.verdict { true } else { false } }
    promise(single.resolve(scheme) == resolution, "\(scheme) has the same answer by itself")
    promise(chosen.isEmpty == (resolution.application == nil), "\(scheme) has one that is chosen, or none")
    guard let id = resolution.application?.id else { continue }
    let without = resolver.resolve(scheme, excluding: [id])
    promise(without.application?.id != id, "\(id) was to be left out")
  }
  return 0
}

/// The files that the input describes.
private struct InputFiles: FileReading {
  private var contents: [String: [UInt8]] = [:]

  init(_ bytes: UnsafeRawBufferPointer) {
    var path = "/h/.config/mimeapps.list"
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
      if line.first == UInt8(ascii: "@") {
        path = String(decoding: line.dropFirst(), as: UTF8.self)
      } else {
        contents[path, default: []] += line + [10]
      }
    }
  }

  func read(_ path: String) -> FileOutcome { contents[path].map(FileOutcome.bytes) ?? .missing }

  func list(_ directory: String) -> DirectoryOutcome {
    let prefix = directory + "/"
    let below = contents.keys.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
    guard !below.isEmpty else { return .missing }
    let names = Set(below.compactMap { $0.split(separator: "/").first.map(String.init) }).sorted()
    return .items(
      names.enumerated().map { index, name in
        let isDirectory = contents[prefix + name] == nil
        let inode = UInt64(truncatingIfNeeded: (prefix + name).utf8.reduce(index) { $0 &* 31 &+ Int($1) })
        return DirectoryItem(
          name: name, directory: isDirectory ? DirectoryIdentity(device: 1, inode: inode) : nil)
      })
  }

  func has(_ name: String, in directory: String) -> Bool? {
    guard !name.utf8.contains(UInt8(ascii: "/")), case .items(let items) = list(directory) else { return nil }
    return items.contains { $0.name.utf8.elementsEqual(name.utf8) }
  }

  func isExecutable(_ path: String) -> Bool { !path.contains("missing") }
}
