// SPDX-License-Identifier: Apache-2.0
/// The temporary desktop entry of a scheme that another machine has registered while it is connected.
///
/// Through it, browsers and other openers of the desktop pass links of the scheme to Usher, which delivers them to the owner of the bus name
/// ``id``. That is a relay, and it owns the name for as long as the program on the machine is connected.
public struct RemoteEntry: Hashable, Sendable {
  /// The key of the entry with the machine.
  static let machineKey = "X-Usher-Machine"

  /// The ID of the entry, different for each scheme and each machine, so that nothing for one machine is delivered to another one.
  public let id: ApplicationID
  /// The scheme.
  public let scheme: URLScheme
  /// The name of the machine.
  public let machine: String

  /// Creates the entry of a scheme and a machine.
  public init(scheme: URLScheme, machine: String) {
    id = ApplicationID(ofOtherMachine: machine, scheme: scheme.rawValue)
    self.scheme = scheme
    self.machine = machine
  }

  /// Reads a desktop entry; `nil` if it is not one that Usher has written for another machine.
  public init?(_ entry: DesktopEntry) {
    guard let machine = entry[Self.machineKey], let text = entry.schemes.first, let scheme = URLScheme(text)
    else { return nil }
    self.init(scheme: scheme, machine: machine)
    guard id == entry.id else { return nil }
  }

  /// Returns the file of the entry.
  ///
  /// - Parameter program: The path of the program `usher`.
  func file(running program: String) throws(FreedesktopError) -> KeyFile {
    var file = KeyFile()
    let exec = ExecLine.line(of: [
      ExecLine.escaped(program), "open",
      "--from-desktop", "%u",
    ])
    let values = [
      ("Type", "Application"), ("Name", "\(scheme) on \(machine)"),
      ("Comment", "Sends links to a program on another machine while it is connected"),
      ("Exec", KeyFile.raw(exec)), ("NoDisplay", "true"), ("MimeType", "\(scheme.mimeType);"),
      ("Implements", "org.usher.Application1;"), (Self.machineKey, machine),
    ]
    for (key, value) in values { try file.set(key, to: value, in: DesktopEntry.group) }
    return file
  }
}

extension ApplicationID {
  /// The beginning of such an ID.
  static let prefixOfOtherMachines = "org.usher.Remote."

  /// A Boolean value that indicates whether this is the ID of a scheme that another machine has registered.
  public var isOfOtherMachine: Bool { rawValue.utf8.starts(with: Self.prefixOfOtherMachines.utf8) }

  /// Creates the ID of a scheme that another machine has registered, which is a bus name.
  ///
  /// Its third element is the scheme, with `_` and two hexadecimal digits for each `.`, `+` and `-`.
  fileprivate init(ofOtherMachine machine: String, scheme: String) {
    let element = scheme.utf8.map { byte in
      ".+-".utf8.contains(byte) ? "_" + String(byte, radix: 16) : String(UnicodeScalar(byte))
    }.joined()
    self.init(wellKnown: "\(Self.prefixOfOtherMachines)\(element).m\(ManagedKeys.hash(machine.utf8))")
  }
}

extension Registration {
  /// The temporary entries of other machines in the user's directory.
  public var remoteEntries: [RemoteEntry] {
    guard case .items(let items) = files.list(directories.userApplicationDirectory) else { return [] }
    return items.compactMap { item in
      guard let id = ApplicationID(desktopFileName: item.name), id.isOfOtherMachine,
        case .bytes(let bytes) = files.read("\(directories.userApplicationDirectory)/\(item.name)")
      else { return nil }
      return RemoteEntry(DesktopEntry(file: KeyFile(bytes: bytes), id: id))
    }
  }

  /// Returns the edits that add the temporary entry of another machine.
  ///
  /// - Parameter program: The path of the program `usher`.
  public func edits(adding entry: RemoteEntry, running program: String) throws(FreedesktopError) -> FileEdits
  {
    var draft = PlannedEdit(files: files, home: home)
    let file = try entry.file(running: program)
    try draft.edit(path(of: entry)) { $0 = file }
    try addToCache(entry.id, types: [entry.scheme.mimeType], &draft)
    return try draft.edits()
  }

  /// Returns the edits that remove the temporary entry of another machine.
  public func edits(removing entry: RemoteEntry) throws(FreedesktopError) -> FileEdits {
    var draft = PlannedEdit(files: files, home: home)
    try draft.remove(path(of: entry))
    try dropFromCache(entry.id, types: [entry.scheme.mimeType], &draft)
    return try draft.edits()
  }

  /// Returns the path of the temporary entry of another machine.
  public func path(of entry: RemoteEntry) -> String {
    "\(directories.userApplicationDirectory)/\(entry.id.desktopFileName)"
  }
}
