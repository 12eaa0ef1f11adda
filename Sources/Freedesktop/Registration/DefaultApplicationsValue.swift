// SPDX-License-Identifier: Apache-2.0
/// The value of a line of `[Default Applications]` in which applications are registered.
///
/// A registration through Usher is `Usher;application;`, followed by the previous value. If that begins with the application,
/// an empty item marks the registration instead: `Usher;;application;`. A direct registration is `application;;`, followed
/// by the previous value. It can therefore be undone exactly, even if other programs have
/// edited the line meanwhile or several registrations are nested. A previous default in another file remains there
/// and has lower precedence than this line. Lines of earlier versions end with the previous default and an empty item
/// (`Usher;application;former;;`), which are removed together.
struct DefaultApplicationsValue {
  let handler: ApplicationID

  /// An application that was registered by Usher, as parsed from its line.
  struct Registered: Hashable {
    let application: ApplicationID
    /// Indicates whether the application's links bypass Usher.
    let isDirect: Bool
    /// The index of the first of its two items, such as that of Usher in `Usher;a;…`.
    let index: Int
    /// Indicates whether an empty item marks the application, as in `Usher;;a;…`: it is the next item of the previous value.
    var isMark = false
  }

  /// Returns the line's value with `application` as the default, through Usher or directly.
  func registering(
    _ application: ApplicationID, directly isDirect: Bool = false, in value: String?
  ) -> String {
    let item = Self.item(application)
    if let first = registered(in: value).first, first.index == 0, first.application == application,
      first.isDirect == isDirect
    {
      return RawList(value).raw
    }
    var list = RawList(unregistering(application, from: value) ?? value)
    if isDirect, list.items.isEmpty { list.items = [""] }
    let isFirst = list.items.first == item
    list.items = (isDirect ? [item, ""] : [Self.item(handler), isFirst ? "" : item]) + list.items
    return list.raw
  }

  /// Returns the line's value without the registration of `application`, or without the first registration if it is `nil`.
  ///
  /// The result is empty if the line is to be removed, and `nil` if there is no such registration.
  func unregistering(_ application: ApplicationID?, from value: String?) -> String? {
    let all = registered(in: value)
    guard let found = all.first(where: { application == nil || $0.application == application }) else {
      return nil
    }
    var list = RawList(value)
    list.items.removeSubrange(found.index...(found.index + 1))
    if found.index == 0, !found.isMark {
      let wasElsewhere = list.items.count == 2 && list.items[1].isEmpty
      return wasElsewhere || list.items == [""] ? "" : list.raw
    }
    // A direct registration is recognized only if something follows its empty item.
    let isBelowDirect = all.contains { $0.isDirect && $0.index + 2 == found.index }
    if isBelowDirect, found.index == list.items.count { list.items.append("") }
    return list.raw
  }

  /// Returns the applications that were registered by Usher, the current default first.
  func registered(in value: String?) -> [Registered] {
    let items = RawList(value).items
    var found: [Registered] = []
    var index = 0
    while index + 1 < items.count {
      let isHandler = items[index] == Self.item(handler)
      let isDirect = !isHandler && items[index + 1].isEmpty && index + 2 < items.count
      let isMark = isHandler && items[index + 1].isEmpty && index + 2 < items.count
      let name = isMark ? items[index + 2] : isHandler ? items[index + 1] : items[index]
      if isHandler || isDirect, let application = ApplicationID(desktopFileName: name), application != handler
      {
        found.append(Registered(application: application, isDirect: isDirect, index: index, isMark: isMark))
        index += 2
      } else {
        index += 1
      }
    }
    return found
  }

  private static func item(_ application: ApplicationID) -> String {
    String(KeyFile.raw(list: [application.desktopFileName]).dropLast())
  }
}
