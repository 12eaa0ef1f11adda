// SPDX-License-Identifier: Apache-2.0
/// The terminal emulators that the files `xdg-terminals.list` prefer.
///
/// Default Terminal Execution Specification (proposal, version 0.12). A line is an entry's file name, optionally with
/// `:` and an action. A line with `-` excludes an entry that no line prefers, and `+` includes it again; the first such
/// line about an entry counts. `/execarg_default:FILE:ARGUMENT` is the argument of an entry without one of its own.
struct TerminalList {
  /// A terminal emulator that a line prefers.
  struct Preference: Hashable {
    let name: String
    let action: String?
  }

  /// The preferred terminal emulators, most important first.
  private(set) var preferred: [Preference] = []
  private var isIncluded: [String: Bool] = [:]
  private var defaultArguments: [String: String] = [:]

  /// Reads the lists of the user, the administrator and the distribution, for the current desktops and for all.
  init(directories: BaseDirectories, files: some FileReading) {
    let places =
      [directories.configHome] + directories.configDirectories
      + directories.dataDirectories.map { $0 + "/xdg-terminal-exec" }
    let names = directories.currentDesktops.map { $0 + "-xdg-terminals.list" } + ["xdg-terminals.list"]
    for place in places {
      for name in names {
        guard case .bytes(let bytes) = files.read("\(place)/\(name)") else { continue }
        for line in bytes.split(separator: UInt8(ascii: "\n")) { read(line) }
      }
    }
  }

  private mutating func read(_ line: ArraySlice<UInt8>) {
    var line = line.drop(while: \.isBlank)
    while line.last?.isBlank == true { line.removeLast() }
    let colon = UInt8(ascii: ":")
    switch line.first {
    case nil, UInt8(ascii: "#"): return
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      let name = Self.text(line.dropFirst())
      isIncluded[name] = isIncluded[name] ?? (line.first == UInt8(ascii: "+"))
    case UInt8(ascii: "/"):
      let parts = line.split(separator: colon, maxSplits: 2, omittingEmptySubsequences: false).map(Self.text)
      guard parts.count == 3, parts[0] == "/execarg_default" else { return }
      defaultArguments[parts[1]] = defaultArguments[parts[1]] ?? parts[2]
    default:
      let parts = line.split(separator: colon, maxSplits: 1).map(Self.text)
      guard let name = parts.first else { return }
      let preference = Preference(name: name, action: parts.count > 1 ? parts[1] : nil)
      if !preferred.contains(preference) { preferred.append(preference) }
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the command line of the chosen terminal emulator, without the program to run in it; `nil` if there is none.
  ///
  /// An entry that no line prefers must name its argument, and must not be for another desktop.
  func terminal(
    in catalog: ApplicationCatalog, _ programs: ProgramSearch, on desktops: [String]
  ) -> [ProgramArgument]? {
    for preference in preferred {
      guard let id = ApplicationID(desktopFileName: preference.name),
        let entry = Self.entry(id, in: catalog, programs),
        let command = command(of: entry, performing: preference.action, programs)
      else { continue }
      return command
    }
    for id in catalog.ids where isIncluded[id.desktopFileName] != false {
      guard let entry = Self.entry(id, in: catalog, programs), Self.argument(of: entry) != nil,
        entry.isShown(on: desktops),
        let command = command(of: entry, performing: nil, programs)
      else { continue }
      return command
    }
    return nil
  }

  /// Returns the entry of an installed terminal emulator.
  private static func entry(
    _ id: ApplicationID, in catalog: ApplicationCatalog, _ programs: ProgramSearch
  ) -> DesktopEntry? {
    guard let entry = catalog.load(id, programs: programs).entry, !entry.isHidden,
      entry.categories.contains("TerminalEmulator")
    else { return nil }
    return entry
  }

  /// Returns the entry's own argument, which may be empty; `nil` if it has none.
  private static func argument(of entry: DesktopEntry) -> String? {
    ["TerminalArgExec", "X-TerminalArgExec", "ExecArg", "X-ExecArg"].lazy.compactMap { entry[$0] }.first
  }

  private func command(
    of entry: DesktopEntry, performing action: String?, _ programs: ProgramSearch
  ) -> [ProgramArgument]? {
    guard let exec = action.map({ entry.action($0)?.exec }) ?? entry.exec, let line = try? ExecLine(exec),
      let name = line.program, let path = programs.find(name, workingDirectory: entry.workingDirectory)
    else { return nil }
    let argument =
      Self.argument(of: entry) ?? entry.id.flatMap { defaultArguments[$0.desktopFileName] }
      ?? KnownTerminal.argument(of: name) ?? ""
    let own =
      (try? line.expand([], facts: ExecLine.Facts(of: entry)))?.first.map { Array($0.dropFirst()) } ?? []
    return [ProgramArgument(path)] + own + (argument.isEmpty ? [] : [ProgramArgument(argument)])
  }
}

extension DesktopEntry {
  /// Returns whether `OnlyShowIn` and `NotShowIn` show the entry on a desktop with these names in lower case.
  func isShown(on desktops: [String]) -> Bool {
    let only = list("OnlyShowIn").map(\.asciiLowercased)
    let not = list("NotShowIn").map(\.asciiLowercased)
    for desktop in desktops {
      if only.contains(desktop) { return true }
      if not.contains(desktop) { return false }
    }
    return only.isEmpty
  }
}
