// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import State
import Triggers

/// The calls about notifications.
extension TriggersFrontend {
  /// The collaborators of the calls about notifications.
  struct Notifications {
    let permission: ApplicationPermission
    let facts: ApplicationFacts
    let badges: BadgeService
    let scheduler: Scheduler
    let presenter: Presenter
    let server: NotificationServer
  }

  /// The methods of the object for notifications.
  var notificationMembers: [BusMember] {
    typealias Interface = TriggersInterface
    let (scheduler, presenter) = (notifications.scheduler, notifications.presenter)
    return [
      method(Interface.requestAuthorization) { access, options async throws(BusError) in
        try await requestAuthorization(of: access, options)
      },
      method(Interface.notificationSettings) { access async throws(BusError) in
        try await settings(of: access)
      },
      method(Interface.addNotification) { access, request async throws(BusError) in
        try await add(request, of: access)
      },
      method(Interface.pendingNotifications) { access async throws(BusError) in
        await pending(of: access.application.rawValue)
      },
      method(Interface.deliveredNotifications) { access async throws(BusError) in
        await delivered(of: access.application.rawValue)
      },
      method(Interface.removePendingNotifications) { access, identifiers async throws(BusError) in
        try await scheduler.remove(identifiers, of: access.application.rawValue)
      },
      method(Interface.removeAllPendingNotifications) { access async throws(BusError) in
        try await scheduler.remove(nil, of: access.application.rawValue)
      },
      method(Interface.removeDeliveredNotifications) { access, identifiers async throws(BusError) in
        try await presenter.remove(identifiers, of: access.application.rawValue)
      },
      method(Interface.removeAllDeliveredNotifications) { access async throws(BusError) in
        try await presenter.remove(nil, of: access.application.rawValue)
      },
      method(Interface.setNotificationCategories) { access, categories async throws(BusError) in
        try await setCategories(categories, of: access)
      },
      method(Interface.notificationCategories) { access async throws(BusError) in
        await notifications.facts.categories(of: access.application.rawValue).map(\.entries)
      },
      method(Interface.setBadge) { access, badge async throws(BusError) in
        try await setBadge(badge, of: access)
      },
    ]
  }

  private func requestAuthorization(
    of access: CallerAccess.Access, _ options: [String]
  ) async throws(BusError) -> Bool {
    let application = access.application.rawValue
    guard
      try await status(of: notifications.permission, for: access.application, asks: true)
        == .answered(.allowed)
    else {
      return false
    }
    try notifications.facts.update(application) { facts in
      let earlier = facts.options?.split(separator: " ").map(String.init) ?? []
      facts.options = Self.options.filter { options.contains($0) || earlier.contains($0) }.joined(
        separator: " ")
    }
    return true
  }

  /// The features that an application may use.
  private static let options = ["alert", "sound", "badge"]

  private func settings(of access: CallerAccess.Access) async throws(BusError) -> [String: Variant] {
    let application = access.application.rawValue
    let status = try await status(of: notifications.permission, for: access.application, asks: false).answer
    let capabilities = try? await notifications.server.capabilities()
    var settings: [String: Variant] = [
      "authorization": .string(status.authorization),
      "actions": .boolean(capabilities?.contains("actions") ?? false),
      "inline-reply": .boolean(capabilities?.contains(NotificationServer.inlineReply) ?? false),
      "body-markup": .boolean(capabilities?.contains("body-markup") ?? false),
    ]
    for option in Self.options {
      let isEnabled = status != .denied && notifications.facts.uses(option, application)
      settings[option] = .string(
        capabilities == nil ? "not-supported" : isEnabled ? "enabled" : "disabled")
    }
    return settings
  }

  private func add(_ entries: [String: Variant], of access: CallerAccess.Access) async throws(BusError) {
    let request = try decoded(NotificationRequest(entries))
    try await requirePermission(notifications.permission, of: access)
    var state = RegionState.unknown
    if case .region(let region, _)? = request.trigger {
      try await locations.permission.require(access.application.rawValue, isOfUser: access.isOfUser)
      state = locations.monitor.position(relativeTo: region)
    }
    try notifications.scheduler.add(
      request, of: access.application.rawValue, state: state, isOfUser: access.isOfUser)
  }

  private func setBadge(_ badge: UInt32, of access: CallerAccess.Access) async throws(BusError) {
    // An application whose permission was revoked must be able to remove what it has shown.
    if badge == 0 {
      try await requireInstalled(access.application)
    } else {
      try await requirePermission(notifications.permission, of: access)
    }
    try await notifications.badges.set(badge, of: access.application.rawValue)
  }

  private func pending(of application: String) -> [[String: Variant]] {
    notifications.scheduler.pending(of: application).map { notification, next in
      var entries = notification.request.entries
      entries["application"] = .string(application)
      entries["next-date"] = next.map { .int64($0.milliseconds) }
      guard notification.region != nil else { return entries }
      entries["state"] = .string(notification.regionState.rawValue)
      entries["message"] = locations.notifications.refusal(
        of: application, isOfUser: notification.isOfUser
      ).map(Variant.string)
      return entries
    }
  }

  private func delivered(of application: String) -> [[String: Variant]] {
    notifications.presenter.delivered(of: application).map { request, date in
      [
        "application": .string(application), "request": .dictionary(request.entries),
        "date": .int64(date.milliseconds),
      ]
    }
  }

  private func setCategories(
    _ list: [[String: Variant]], of access: CallerAccess.Access
  ) async throws(BusError) {
    try await requireInstalled(access.application)
    guard list.count <= NotificationLimits.categories else {
      throw BusError(
        .tooMany, "\(list.count) categories exceed the limit of \(NotificationLimits.categories)")
    }
    var categories: [String: NotificationCategory] = [:]
    for (index, entries) in list.enumerated() {
      let path = "categories[\(index)]"
      let category = try decoded(
        NotificationCategory(PropertyList(.dictionary(entries), at: path), at: path))
      categories[category.identifier] = category
    }
    let sorted = categories.values.sorted { $0.identifier < $1.identifier }.map(\.propertyList)
    try notifications.facts.update(access.application.rawValue) {
      $0.categories = sorted.isEmpty ? nil : PropertyList.array(sorted).json
    }
  }
}
