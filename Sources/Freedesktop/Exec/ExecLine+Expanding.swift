// SPDX-License-Identifier: Apache-2.0
extension ExecLine {
  /// The values of an entry for `%i`, `%c` and `%k`.
  public struct Facts: Hashable, Sendable {
    /// The entry's `Icon`.
    public var icon: String?
    /// The entry's `Name`.
    public var name: String?
    /// The path of the entry's file.
    public var location: String?

    /// Creates the values; a code whose value is `nil` expands to no argument.
    public init(icon: String? = nil, name: String? = nil, location: String? = nil) {
      self.icon = icon
      self.name = name
      self.location = location
    }

    /// Reads the values from `entry`.
    public init(of entry: DesktopEntry, in locale: MessageLocale = MessageLocale("C")) {
      self.init(icon: entry.icon(in: locale), name: entry.name(in: locale), location: entry.path)
    }
  }

  /// Returns the command lines that open `urls`, in order, each an array of arguments for one process.
  ///
  /// There is one process for all URLs if a code accepts lists, or if there is at most one URL; otherwise one process
  /// for each URL. Each URL is passed exactly once: at the first code that accepts it, or as the last argument if no
  /// code does. Codes for local files expand to the path of a `file:` URL, and to any other URL unchanged if the line
  /// has no code for URLs. A path is passed as the bytes of the file's name, as GIO passes it.
  ///
  /// In an argument that a shell runs as code, a value is a word in single quotes if it has characters with a meaning.
  ///
  /// - Throws: `FreedesktopError.valueInCode` if an interpreter would run a value as code.
  public func expand(
    _ urls: [String], facts: Facts = Facts()
  ) throws(FreedesktopError) -> [[ProgramArgument]] {
    let takesAll = urlCodes.contains(where: \.takesAll)
    guard urls.count > 1, !takesAll else { return [try Self.inserting(command(urls, facts))] }
    var commands: [[ProgramArgument]] = []
    for url in urls { commands.append(try Self.inserting(command([url], facts))) }
    return commands
  }

  /// The name of the interpreter that would run a URL as code; `nil` if none would.
  var interpreterOfURL: String? { Self.interpreter(in: command(["x:"], Facts())) }

  /// Returns whether a process that executes the program was started as this line says, by its arguments with the name of the program.
  ///
  /// The name and the arguments before the first field code must be equal. No arguments are sufficient if an interpreter, a terminal
  /// emulator or another program that runs programs gets its program, script or code only behind a field code. A process that has
  /// changed its arguments may not be recognized.
  public func matches(commandLine: [ProgramArgument]) -> Bool {
    let fixed = arguments.map(\.text).prefix { $0 != nil }.compactMap(\.self)
    guard let program = fixed.first, let name = commandLine.first,
      !Self.selectsProgram(in: command(["x:"], Facts()), from: fixed.count)
    else { return false }
    let slash = UInt8(ascii: "/")
    return name.bytes.split(separator: slash).last == Array(program.utf8).split(separator: slash).last
      && commandLine.dropFirst().starts(with: fixed.dropFirst().map { ProgramArgument($0) })
  }

  private func command(_ urls: [String], _ facts: Facts) -> [OpenArgument] {
    var open = OpenURLs(urls: urls[...], hasCodeForURLs: urlCodes.contains { $0 == .url || $0 == .urls })
    let command = arguments.flatMap { $0.expand(&open, facts) }
    return command + open.urls.map { OpenArgument(parts: [.values([Array($0.utf8)], of: .url)]) }
  }

  /// The URLs of a command that no code has consumed yet.
  fileprivate struct OpenURLs {
    var urls: ArraySlice<String>
    let hasCodeForURLs: Bool

    mutating func takeURLs(_ count: Int) -> [ProgramArgument] {
      defer { urls = urls.dropFirst(count) }
      return urls.prefix(count).map { ProgramArgument($0) }
    }

    mutating func takeFiles(_ count: Int) -> [ProgramArgument] {
      let paths = urls.prefix(count).map { FileURL.path(of: $0).map(ProgramArgument.init(bytes:)) }
      guard !hasCodeForURLs || !paths.contains(nil) else { return [] }
      return zip(paths, takeURLs(count)).map { $0 ?? $1 }
    }
  }
}

extension ExecLine.Argument {
  /// Returns the arguments that this one expands to: text is concatenated, and a list on its own becomes several arguments.
  fileprivate func expand(_ urls: inout ExecLine.OpenURLs, _ facts: ExecLine.Facts) -> [ExecLine.OpenArgument]
  {
    guard pieces != [.code(.icon)] else {
      guard let icon = facts.icon, !icon.isEmpty else { return [] }
      return [[.text(Array("--icon".utf8))], [.values([Array(icon.utf8)], of: .icon)]].map {
        ExecLine.OpenArgument(parts: $0)
      }
    }
    var parts: [ExecLine.OpenArgument.Part] = []
    for piece in pieces {
      switch piece {
      case .text(let text): parts.append(.text(Array(text.utf8)))
      case .code(let code):
        let values = code.values(&urls, facts).map(\.bytes)
        guard pieces.count > 1 else {
          return values.map { ExecLine.OpenArgument(parts: [.values([$0], of: code)]) }
        }
        if !values.isEmpty { parts.append(.values(values, of: code)) }
      }
    }
    return parts.isEmpty ? [] : [ExecLine.OpenArgument(parts: parts)]
  }
}

extension ExecLine.FieldCode {
  fileprivate func values(_ urls: inout ExecLine.OpenURLs, _ facts: ExecLine.Facts) -> [ProgramArgument] {
    switch self {
    case .url: urls.takeURLs(1)
    case .urls: urls.takeURLs(.max)
    case .file: urls.takeFiles(1)
    case .files: urls.takeFiles(.max)
    case .icon: facts.icon.map { [ProgramArgument($0)] } ?? []
    case .name: facts.name.map { [ProgramArgument($0)] } ?? []
    case .location: facts.location.map { [ProgramArgument($0)] } ?? []
    }
  }
}
