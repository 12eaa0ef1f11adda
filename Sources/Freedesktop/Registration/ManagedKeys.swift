/// What Usher writes into an application's entry: the schemes, and a stamp that says what is ours in it.
///
/// `X-Usher-Schemes` lists the schemes that go again with us: those that were not in `MimeType` before, and
/// in a copy all that were registered; `X-Usher-Since` says since when, as `notes@2026-11-21T14:00:00Z`. A copy
/// of an entry from another folder says where it is from (`X-Usher-CopyOf`), what it was (`X-Usher-OriginalDigest`), and what
/// is left of it without ours (`X-Usher-CopyDigest`); an entry that was made from a name and a command says `X-Usher-Generated=true`, and
/// for which program (`X-Usher-Owner`).
enum ManagedKeys {
  static let schemes = "X-Usher-Schemes"
  static let since = "X-Usher-Since"
  static let copyOf = "X-Usher-CopyOf"
  static let copyDigest = "X-Usher-CopyDigest"
  static let originalDigest = "X-Usher-OriginalDigest"
  static let generated = "X-Usher-Generated"
  static let owner = "X-Usher-Owner"

  /// `file` with all of `schemes` in its `MimeType`.
  ///
  /// - Parameters:
  ///   - claimsAll: whether those that were there already are to go with ours.
  ///   - date: the moment to write down for those that are new.
  ///   - former: the entry in place of which `file` comes; its moments stay.
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

  /// `file` without those of `schemes` that we added.
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

  /// The schemes of ours in an entry that is there already.
  static func stampedSchemes(of file: KeyFile?) -> [URLScheme] {
    (file?.list(of: schemes, in: DesktopEntry.group) ?? []).compactMap { URLScheme($0) }
  }

  /// When a scheme was registered, as it was written down.
  static func moment(of scheme: URLScheme, in file: KeyFile) -> String? {
    let prefix = scheme.rawValue + "@"
    let moment = (file.list(of: since, in: DesktopEntry.group) ?? []).first { $0.hasPrefix(prefix) }
    return moment.map { String($0.dropFirst(prefix.count)) }
  }

  /// The copy of the entry at `path` that is to lie in the user's folder.
  static func copy(
    _ file: KeyFile, from path: String, adding added: [URLScheme], on date: String? = nil,
    insteadOf former: KeyFile? = nil
  ) throws(FreedesktopError) -> KeyFile {
    var copy = try adding(added, to: file, claimsAll: true, on: date, insteadOf: former)
    let withoutOurs = try removing(added, from: copy)
    try copy.set(copyOf, to: KeyFile.raw(path), in: DesktopEntry.group)
    try copy.set(copyDigest, to: digest(withoutOurs), in: DesktopEntry.group)
    try copy.set(originalDigest, to: digest(file), in: DesktopEntry.group)
    return copy
  }

  /// Whether a copy is of `original` as it is now, and not of one that was there before.
  static func isCurrent(_ copy: KeyFile, of original: KeyFile) -> Bool {
    copy.value(of: originalDigest, in: DesktopEntry.group) == digest(original)
  }

  /// Whether nothing but ours was in `file`, so that it can go when no scheme of ours is left.
  static func isOnlyOurs(_ file: KeyFile) -> Bool {
    guard file.value(of: schemes, in: DesktopEntry.group) == nil else { return false }
    if file.value(of: generated, in: DesktopEntry.group) == "true" { return true }
    guard let original = file.value(of: copyDigest, in: DesktopEntry.group) else { return false }
    var rest = file
    for key in [copyOf, copyDigest, originalDigest] { rest.remove(key, in: DesktopEntry.group) }
    return digest(rest) == original
  }

  /// Whether somebody has edited a copy of ours since it was made.
  static func isEdited(_ copy: KeyFile) throws(FreedesktopError) -> Bool {
    !isOnlyOurs(try removing(stampedSchemes(of: copy), from: copy))
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

  /// It tells whether somebody edited the copy, and guards against nobody.
  private static func digest(_ file: KeyFile) -> String { hash(file.bytes) }

  /// FNV-1a, 64 bits.
  static func hash(_ bytes: some Sequence<UInt8>) -> String {
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
