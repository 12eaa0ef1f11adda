/// The line of `[Default Applications]` that puts Usher before an application.
///
/// It is `Usher;application;` and then, as it was, what stood there before; so it can be taken back to the
/// byte, also when others have edited it meanwhile or registrations lie on one another. A former default
/// that stood in another file comes last, with an empty item behind it: `Usher;application;former;;`. No
/// program finds an application in the empty item, and we know by it that the line itself was not there.
struct DefaultLine {
  let handler: ApplicationID

  /// The line's value with `application` in charge, behind Usher.
  ///
  /// - Parameter former: the default that other files give, where this line is not there.
  func registering(_ application: ApplicationID, in value: String?, former: ApplicationID?) -> String {
    let pair = [handler, application].map(Self.item)
    let current = RawList(value)
    if current.items.starts(with: pair) { return current.raw }
    var list = RawList(unregistering(application, from: value) ?? value)
    if value == nil, let former, former != application { list.items = [Self.item(former), ""] }
    list.items = pair + list.items
    return list.raw
  }

  /// The line's value without Usher before `application`, or before whichever is first; empty when the line is
  /// to go, `nil` when Usher does not stand there.
  func unregistering(_ application: ApplicationID?, from value: String?) -> String? {
    var list = RawList(value)
    guard let index = indexOfPair(application, in: list) else { return nil }
    list.items.removeSubrange(index...(index + 1))
    let wasElsewhere = list.items.count == 2 && list.items[1].isEmpty
    return wasElsewhere ? "" : list.raw
  }

  /// The application that Usher stands before; the first one when there are several.
  func application(in value: String?) -> ApplicationID? {
    let list = RawList(value)
    return indexOfPair(nil, in: list).flatMap { ApplicationID(desktopFileName: list.items[$0 + 1]) }
  }

  private func indexOfPair(_ application: ApplicationID?, in list: RawList) -> Int? {
    list.items.indices.dropLast().first { index in
      guard list.items[index] == Self.item(handler) else { return false }
      let second = list.items[index + 1]
      return application.map { second == Self.item($0) } ?? (ApplicationID(desktopFileName: second) != nil)
    }
  }

  private static func item(_ application: ApplicationID) -> String {
    String(KeyFile.raw(list: [application.desktopFileName]).dropLast())
  }
}
