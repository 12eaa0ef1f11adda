/// Where the entry of a program lies that has none of its own, and what is there already.
///
/// Two programs of one name, as a development and a release build, get an entry each: the first has the plain
/// ID, the next one an ID that tells its program. An entry whose program is gone is taken over, so that a program
/// that was moved keeps its ID.
struct GeneratedEntry {
  let id: ApplicationID
  let path: String
  /// The entry of ours that is to be replaced.
  let existing: KeyFile?

  init(
    name: String, program: String, wanted: ApplicationID?, _ registration: Registration
  ) throws(FreedesktopError) {
    let directory = registration.directories.userApplicationDirectory + "/"
    let plain = if let wanted { wanted } else { try Self.id(for: name) }
    let file = try registration.read(directory + plain.desktopFileName)
    if Self.isOf(program, file, registration) {
      (id, path, existing) = (plain, directory + plain.desktopFileName, file)
      return
    }
    let isOurs = file?.value(of: ManagedKeys.generated, in: DesktopEntry.group) == "true"
    guard isOurs, wanted == nil,
      let own = ApplicationID(plain.rawValue + "-" + ManagedKeys.hash(program.utf8).prefix(6))
    else { throw .alreadyExists(path: directory + plain.desktopFileName) }
    let second = try registration.read(directory + own.desktopFileName)
    guard Self.isOf(program, second, registration) else {
      throw .alreadyExists(path: directory + own.desktopFileName)
    }
    (id, path, existing) = (own, directory + own.desktopFileName, second)
  }

  /// Whether the entry may be written for `program`.
  private static func isOf(_ program: String, _ file: KeyFile?, _ registration: Registration) -> Bool {
    guard let file else { return true }
    guard file.value(of: ManagedKeys.generated, in: DesktopEntry.group) == "true" else { return false }
    guard let owner = file.string(of: ManagedKeys.owner, in: DesktopEntry.group) else { return true }
    return owner == program || registration.programs.find(owner) == nil
  }

  /// Not a name on the bus, so that nobody takes a program that has none for one that has.
  private static func id(for name: String) throws(FreedesktopError) -> ApplicationID {
    let words = name.asciiLowercased.utf8.split { !$0.isASCIILetter && !$0.isASCIIDigit }
    let slug = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    guard !slug.isEmpty, let id = ApplicationID("usher-" + slug) else { throw .invalidApplicationID(name) }
    return id
  }
}
