// SPDX-License-Identifier: Apache-2.0
/// The location of the generated entry for a program without one, and the existing file there.
///
/// Two programs of one name, such as a development and a release build, get one entry each: the first has the plain
/// ID, and the ID of the second contains a hash of its program. An entry whose program no longer exists is replaced,
/// so that a program that was moved keeps its ID.
struct GeneratedEntry {
  let id: ApplicationID
  let path: String
  /// The generated entry that is to be replaced; `nil` if there is none.
  let existing: KeyFile?

  init(
    name: String, program: String, wanted: ApplicationID?, _ registration: Registration
  ) throws(FreedesktopError) {
    let directory = registration.directories.userApplicationDirectory + "/"
    let plain = if let wanted { wanted } else { try Self.id(for: name) }
    let file = try registration.read(directory + plain.desktopFileName)
    if Self.isOf(program, file: file, registration: registration) {
      (id, path, existing) = (plain, directory + plain.desktopFileName, file)
      return
    }
    let isOurs = file.map(ManagedKeys.isGenerated) ?? false
    guard isOurs, wanted == nil,
      let own = ApplicationID(plain.rawValue + "-" + ManagedKeys.hash(program.utf8).prefix(6))
    else { throw .alreadyExists(path: directory + plain.desktopFileName) }
    let second = try registration.read(directory + own.desktopFileName)
    guard Self.isOf(program, file: second, registration: registration) else {
      throw .alreadyExists(path: directory + own.desktopFileName)
    }
    (id, path, existing) = (own, directory + own.desktopFileName, second)
  }

  /// Returns whether the entry may be written for `program`.
  private static func isOf(_ program: String, file: KeyFile?, registration: Registration) -> Bool {
    guard let file else { return true }
    guard ManagedKeys.isGenerated(file) else { return false }
    guard let owner = file.string(of: ManagedKeys.owner, in: DesktopEntry.group) else { return true }
    return owner == program || registration.programs.find(owner) == nil
  }

  /// Returns an ID that is not a valid bus name, so that the program is never mistaken for one that owns a bus name.
  private static func id(for name: String) throws(FreedesktopError) -> ApplicationID {
    let words = name.asciiLowercased.utf8.split { !$0.isASCIILetter && !$0.isASCIIDigit }
    let slug = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    guard !slug.isEmpty, let id = ApplicationID("usher-" + slug) else { throw .invalidApplicationID(name) }
    return id
  }
}
