// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes

/// The type of the activity of a universal link.
public let NSUserActivityTypeBrowsingWeb = UserActivity.browsingWeb

/// An activity of the user, which Foundation has only on Apple's systems.
open class NSUserActivity {
  /// The type of the activity.
  public let activityType: String
  /// The displayed title.
  open var title: String?
  /// The URL of the web page; a universal link has it.
  open var webpageURL: URL?
  /// The data of the application, of types that a property list has.
  open var userInfo: [AnyHashable: Any]?
  /// The identifier of the content, by which a scene is chosen.
  open var targetContentIdentifier: String?
  /// A Boolean value that the desktop ignores.
  open var isEligibleForHandoff = true
  /// A Boolean value that the desktop ignores.
  open var isEligibleForSearch = false
  /// A Boolean value that the desktop ignores.
  open var isEligibleForPublicIndexing = false
  /// A Boolean value that the desktop ignores.
  open var isEligibleForPrediction = false
  /// An identifier that the desktop ignores.
  open var persistentIdentifier: String?
  /// Words that the desktop ignores.
  open var keywords: Set<String> = []
  /// A Boolean value that the desktop ignores: the delegate of a scene is asked for its activity whenever it is stored.
  open var needsSave = false
  /// The keys of ``userInfo`` that a continuation needs; the desktop ignores them.
  open var requiredUserInfoKeys: Set<String>?

  /// Creates an activity of a type.
  public init(activityType: String) { self.activityType = activityType }

  /// Adds entries to ``userInfo``.
  open func addUserInfoEntries(from dictionary: [AnyHashable: Any]) {
    userInfo = (userInfo ?? [:]).merging(dictionary) { $1 }
  }

  /// Does nothing: the desktop has no current activity.
  open func becomeCurrent() {}
  /// Does nothing: the desktop has no current activity.
  open func resignCurrent() {}
  /// Does nothing: the desktop has no current activity.
  open func invalidate() {}

  convenience init(_ activity: UserActivity) {
    self.init(activityType: activity.activityType)
    title = activity.title
    webpageURL = activity.webpageURL.flatMap { URL(string: $0) }
    userInfo = activity.userInfo.isEmpty ? nil : activity.userInfo.mapValues(\.foundation)
    targetContentIdentifier = activity.targetContentIdentifier
  }

  /// The activity as `Scenes` stores it; entries of ``userInfo`` that a property list does not have are omitted.
  var activity: UserActivity {
    var entries: [String: PropertyList] = [:]
    for (key, value) in userInfo ?? [:] {
      guard let key = key.base as? String else { continue }
      entries[key] = PropertyList(foundation: value)
    }
    return UserActivity(
      activityType: activityType, title: title, webpageURL: webpageURL?.absoluteString, userInfo: entries,
      targetContentIdentifier: targetContentIdentifier)
  }
}

extension NSUserActivity: Hashable {
  /// Returns `true` if the objects are identical.
  public static func == (lhs: NSUserActivity, rhs: NSUserActivity) -> Bool { lhs === rhs }
  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
