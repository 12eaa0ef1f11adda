// SPDX-License-Identifier: Apache-2.0
extension ExecLine {
  /// The values of an entry for `%i`, `%c` and `%k`.
  public struct Facts: Hashable, Sendable {
    /// The entry's `Icon`.
    public var icon: String?
    /// The entry's `Name`, translated.
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
  public func expand(_ urls: [String], facts: Facts = Facts()) -> [[ProgramArgument]] {
    let takesAll = urlCodes.contains(where: \.takesAll)
    guard urls.count > 1, !takesAll else { return [command(urls, facts)] }
    return urls.map { command([$0], facts) }
  }

  private func command(_ urls: [String], _ facts: Facts) -> [ProgramArgument] {
    var open = OpenURLs(urls: urls[...], hasCodeForURLs: urlCodes.contains { $0 == .url || $0 == .urls })
    let command = arguments.flatMap { $0.expand(&open, facts) }
    return command + open.urls.map { ProgramArgument($0) }
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
  /// Returns the arguments that this one expands to: text is concatenated, and a list becomes several arguments.
  fileprivate func expand(_ urls: inout ExecLine.OpenURLs, _ facts: ExecLine.Facts) -> [ProgramArgument] {
    guard pieces != [.code(.icon)] else {
      return facts.icon.flatMap { $0.isEmpty ? nil : ["--icon", ProgramArgument($0)] } ?? []
    }
    var arguments: [ProgramArgument] = []
    var current: [UInt8]?
    for piece in pieces {
      let values = piece.values(&urls, facts)
      guard let first = values.first else { continue }
      current = (current ?? []) + first.bytes
      for value in values.dropFirst() {
        arguments.append(ProgramArgument(bytes: current ?? []))
        current = value.bytes
      }
    }
    return arguments + (current.map { [ProgramArgument(bytes: $0)] } ?? [])
  }
}

extension ExecLine.Piece {
  fileprivate func values(_ urls: inout ExecLine.OpenURLs, _ facts: ExecLine.Facts) -> [ProgramArgument] {
    switch self {
    case .text(let text): [ProgramArgument(text)]
    case .code(.url): urls.takeURLs(1)
    case .code(.urls): urls.takeURLs(.max)
    case .code(.file): urls.takeFiles(1)
    case .code(.files): urls.takeFiles(.max)
    case .code(.icon): facts.icon.map { [ProgramArgument($0)] } ?? []
    case .code(.name): facts.name.map { [ProgramArgument($0)] } ?? []
    case .code(.location): facts.location.map { [ProgramArgument($0)] } ?? []
    }
  }
}
