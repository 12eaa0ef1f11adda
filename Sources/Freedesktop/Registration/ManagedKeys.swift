// SPDX-License-Identifier: Apache-2.0
/// The keys that Usher writes into an application's entry, to undo a registration exactly.
///
/// - `X-Usher-Schemes` lists the schemes that unregistering removes: those that were not in `MimeType` before, and in
///   a copy all that were registered.
/// - `X-Usher-Since` has the time of each registration, such as `notes@2026-11-21T14:00:00Z`.
/// - `X-Usher-CopyOf`, in a copy, is the path of the original, and `X-Usher-OriginalDigest` the hash of the original.
/// - `X-Usher-Generated=true` marks an entry that was generated from a name and a command, and `X-Usher-Owner` is its
///   program. `X-Usher-AppImage`, in an entry from an AppImage, is the size and the modification time of that file.
/// - `X-Usher-CopyDigest` is the hash of a copy as it was written, without schemes, times, and the keys of a copy.
///   `X-Usher-Digest` is that of a generated entry or a copy of one. Earlier versions never wrote it, but preserve it when they move an
///   AppImage, so that the entry counts as edited after the next upgrade.
enum ManagedKeys {
  static let schemes = "X-Usher-Schemes"
  static let since = "X-Usher-Since"
  static let copyOf = "X-Usher-CopyOf"
  static let copyDigest = "X-Usher-CopyDigest"
  static let generatedDigest = "X-Usher-Digest"
  static let originalDigest = "X-Usher-OriginalDigest"
  static let generated = "X-Usher-Generated"
  static let owner = "X-Usher-Owner"
  static let appImage = "X-Usher-AppImage"

  /// Returns `file` with all of `schemes` in its `MimeType`.
  ///
  /// - Parameters:
  ///   - claimsAll: whether unregistering also removes those that are already there.
  ///   - date: the time to record for new ones.
  ///   - former: the entry that `file` replaces; its recorded times are preserved.
  static func adding(
    _ added: [URLScheme], to file: KeyFile, claimsAll: Bool = false, on date: String? = nil,
    insteadOf former: KeyFile? = nil
  ) throws(FreedesktopError) -> KeyFile {
    var file = file
    var types = RawList(file.value(of: "MimeType", in: DesktopEntry.group))
    var stamp = RawList(file.value(of: schemes, in: DesktopEntry.group))
    var moments = RawList((former ?? file).value(of: since, in: DesktopEntry.group))
    for scheme in added where claimsAll || !types.items.contains(scheme.mimeType) {
      types.appendIfMissing(scheme.mimeType)
      stamp.appendIfMissing(scheme.rawValue)
      if let date, !moments.items.contains(where: { $0.hasPrefix(scheme.rawValue + "@") }) {
        moments.items.append(scheme.rawValue + "@" + date)
      }
    }
    guard !stamp.items.isEmpty else { return file }
    try file.set("MimeType", to: types.raw, in: DesktopEntry.group)
    try file.set(schemes, to: stamp.raw, in: DesktopEntry.group)
    try replace(since, with: moments, in: &file)
    return file
  }

  /// Returns `file` without those of `schemes` that Usher added.
  static func removing(_ removed: [URLScheme], from file: KeyFile) throws(FreedesktopError) -> KeyFile {
    var file = file
    var types = RawList(file.value(of: "MimeType", in: DesktopEntry.group))
    var stamp = RawList(file.value(of: schemes, in: DesktopEntry.group))
    var moments = RawList(file.value(of: since, in: DesktopEntry.group))
    let ours = removed.filter { stamp.items.contains($0.rawValue) }
    guard !ours.isEmpty else { return file }
    types.items.removeAll { item in ours.contains { $0.mimeType == item } }
    stamp.items.removeAll { item in ours.contains { $0.rawValue == item } }
    moments.items.removeAll { item in ours.contains { item.hasPrefix($0.rawValue + "@") } }
    try replace("MimeType", with: types, in: &file)
    try replace(schemes, with: stamp, in: &file)
    try replace(since, with: moments, in: &file)
    return file
  }

  /// Returns the schemes that Usher has recorded in an existing entry.
  static func stampedSchemes(of file: KeyFile?) -> [URLScheme] {
    (file?.list(of: schemes, in: DesktopEntry.group) ?? []).compactMap { URLScheme($0) }
  }

  /// Returns the recorded time at which a scheme was registered; `nil` if there is none.
  static func moment(of scheme: URLScheme, in file: KeyFile) -> String? {
    let prefix = scheme.rawValue + "@"
    let moment = (file.list(of: since, in: DesktopEntry.group) ?? []).first { $0.hasPrefix(prefix) }
    return moment.map { String($0.dropFirst(prefix.count)) }
  }

  /// Returns the copy of the entry at `path` that is to be written to the user's directory.
  static func copy(
    _ file: KeyFile, from path: String, adding added: [URLScheme], on date: String? = nil,
    insteadOf former: KeyFile? = nil
  ) throws(FreedesktopError) -> KeyFile {
    var copy = try adding(added, to: file, claimsAll: true, on: date, insteadOf: former)
    try copy.set(copyOf, to: KeyFile.raw(path), in: DesktopEntry.group)
    copy = try stamping(copy)
    try copy.set(originalDigest, to: hash(file.bytes), in: DesktopEntry.group)
    return copy
  }

  /// Returns an entry that Usher has written, with the hash by which later edits are detected.
  static func stamping(_ file: KeyFile) throws(FreedesktopError) -> KeyFile {
    var stamped = file
    let rest = try removing(stampedSchemes(of: file), from: file)
    try stamped.set(digestKey(of: file), to: digest(rest), in: DesktopEntry.group)
    return stamped
  }

  private static func digestKey(of file: KeyFile) -> String {
    isGenerated(file) ? generatedDigest : copyDigest
  }

  /// Returns whether `file` is a generated entry or a copy of one.
  static func isGenerated(_ file: KeyFile) -> Bool {
    file.value(of: generated, in: DesktopEntry.group) == "true"
  }

  /// Returns whether `file` is a copy or a generated entry, and not one of the user that Usher has edited in place.
  static func isOfUsher(_ file: KeyFile) -> Bool {
    isGenerated(file) || file.value(of: copyOf, in: DesktopEntry.group) != nil
  }

  /// Returns whether a copy was made from `original` in its current state.
  static func isCurrent(_ copy: KeyFile, of original: KeyFile) -> Bool {
    copy.value(of: originalDigest, in: DesktopEntry.group) == hash(original.bytes)
  }

  /// Returns whether `file` has no registered scheme left and only text that Usher wrote, so that it can be removed.
  static func isOnlyOurs(_ file: KeyFile) -> Bool {
    guard file.value(of: schemes, in: DesktopEntry.group) == nil else { return false }
    // Earlier versions wrote no digest into generated entries.
    guard let digest = file.value(of: digestKey(of: file), in: DesktopEntry.group) else {
      return isGenerated(file)
    }
    return Self.digest(file) == digest
  }

  /// Returns whether a copy or a generated entry was edited by another program or the user since Usher wrote it.
  static func isEdited(_ file: KeyFile) throws(FreedesktopError) -> Bool {
    !isOnlyOurs(try removing(stampedSchemes(of: file), from: file))
  }

  private static func replace(_ key: String, with list: RawList, in file: inout KeyFile)
    throws(FreedesktopError)
  {
    if list.items.isEmpty {
      file.remove(key, in: DesktopEntry.group)
    } else {
      try file.set(key, to: list.raw, in: DesktopEntry.group)
    }
  }

  /// Returns a hash that detects edits of an entry without schemes; it is no protection against deliberate ones.
  private static func digest(_ file: KeyFile) -> String {
    var rest = file
    for key in [copyOf, copyDigest, generatedDigest, originalDigest] {
      rest.remove(key, in: DesktopEntry.group)
    }
    return hash(rest.bytes)
  }

  /// Returns the 64-bit FNV-1a hash in hexadecimal.
  static func hash(_ bytes: some Sequence<UInt8>) -> String {
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
