/// The line of `[Default Applications]` in which an application was registered.
///
/// Through Usher it is `Usher;application;` and then, as it was, what stood there before; directly it is
/// `application;;` and the same. So it can be taken back to the byte, also when others have edited it meanwhile
/// or registrations lie on one another. A former default that stands in another file stays there, and comes after this line.
/// Lines of before have it last, with an empty item behind it (`Usher;application;former;;`), which goes with it.
struct DefaultApplicationsValue {
  let handler: ApplicationID

  /// An application that somebody registered with us, as its line tells.
  struct Registered: Hashable {
    let application: ApplicationID
    /// Whether Usher is left out.
    let isDirect: Bool
    /// Where its two items begin.
    let index: Int
  }

  /// The line's value with `application` in charge, behind Usher or by itself.
  func registering(
    _ application: ApplicationID, directly isDirect: Bool = false, in value: String?
  ) -> String {
    let head = isDirect ? [Self.item(application), ""] : [handler, application].map(Self.item)
    let current = RawList(value)
    if let first = registered(in: value).first, first.index == 0, current.items.starts(with: head),
      first.isDirect == isDirect
    {
      return current.raw
    }
    var list = RawList(unregistering(application, from: value) ?? value)
    if isDirect, list.items.isEmpty { list.items = [""] }
    list.items = head + list.items
    return list.raw
  }

  /// The line's value without what was registered for `application`, or for whichever is first; empty when the
  /// line is to go, `nil` when there is no such registration.
  func unregistering(_ application: ApplicationID?, from value: String?) -> String? {
    let all = registered(in: value)
    guard let found = all.first(where: { application == nil || $0.application == application }) else {
      return nil
    }
    var list = RawList(value)
    list.items.removeSubrange(found.index...(found.index + 1))
    if found.index == 0 {
      let wasElsewhere = list.items.count == 2 && list.items[1].isEmpty
      return wasElsewhere || list.items == [""] ? "" : list.raw
    }
    // A direct registration is known by something behind its empty item.
    let isBelowDirect = all.contains { $0.isDirect && $0.index + 2 == found.index }
    if isBelowDirect, found.index == list.items.count { list.items.append("") }
    return list.raw
  }

  /// The applications that were registered with us, the one in charge first.
  func registered(in value: String?) -> [Registered] {
    let items = RawList(value).items
    var found: [Registered] = []
    var index = 0
    while index + 1 < items.count {
      let isHandler = items[index] == Self.item(handler)
      let isDirect = !isHandler && items[index + 1].isEmpty && index + 2 < items.count
      let name = isHandler ? items[index + 1] : items[index]
      if isHandler || isDirect, let application = ApplicationID(desktopFileName: name), application != handler
      {
        found.append(Registered(application: application, isDirect: isDirect, index: index))
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
