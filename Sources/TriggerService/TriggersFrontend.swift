// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import State
import Triggers

/// The object of `org.usher.Triggers1`: it decodes calls, checks who may make them, and encodes the results.
@BrokerActor
final class TriggersFrontend {
  let access: CallerAccess
  private let permission: ApplicationPermission
  let identification: SourceIdentification
  private let facts: ApplicationFacts
  private let badges: BadgeService
  private let scheduler: Scheduler
  private let presenter: Presenter
  private let server: NotificationServer
  let registrations: PushRegistrations
  let downloads: Downloads
  let locations: Locations
  let bluetooth: Bluetooth
  private let gate: CallGate

  init(
    access: CallerAccess, permission: ApplicationPermission, identification: SourceIdentification,
    facts: ApplicationFacts, badges: BadgeService, scheduler: Scheduler, presenter: Presenter,
    server: NotificationServer, registrations: PushRegistrations, downloads: Downloads, locations: Locations,
    bluetooth: Bluetooth, gate: CallGate
  ) {
    self.access = access
    self.permission = permission
    self.identification = identification
    self.facts = facts
    self.badges = badges
    self.scheduler = scheduler
    self.presenter = presenter
    self.server = server
    self.registrations = registrations
    self.downloads = downloads
    self.locations = locations
    self.bluetooth = bluetooth
    self.gate = gate
  }

  /// Serves the object on `bus`.
  func export(on bus: BusConnection) async throws(BusError) {
    typealias Interface = TriggersInterface
    try await bus.export(
      BusObject(
        Interface.path,
        [
          .method(Interface.requestAuthorization) { call, application, options async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              try await self.requestAuthorization(of: access, options)
            }
          },
          .method(Interface.notificationSettings) { call, application async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              try await self.settings(of: access)
            }
          },
          .method(Interface.addNotification) { call, application, request async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              try await self.add(request, of: access)
            }
          },
          .method(Interface.pendingNotifications) { call, application async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              await self.pending(of: access.application.rawValue)
            }
          },
          .method(Interface.deliveredNotifications) { call, application async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              await self.delivered(of: access.application.rawValue)
            }
          },
          .method(Interface.removePendingNotifications) {
            call, application, identifiers async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              try await self.scheduler.remove(identifiers, of: access.application.rawValue)
            }
          },
          .method(Interface.removeAllPendingNotifications) { call, application async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              try await self.scheduler.remove(nil, of: access.application.rawValue)
            }
          },
          .method(Interface.removeDeliveredNotifications) {
            call, application, identifiers async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              try await self.presenter.remove(identifiers, of: access.application.rawValue)
            }
          },
          .method(Interface.removeAllDeliveredNotifications) { call, application async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              try await self.presenter.remove(nil, of: access.application.rawValue)
            }
          },
          .method(Interface.setNotificationCategories) {
            call, application, categories async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              try await self.setCategories(categories, of: access)
            }
          },
          .method(Interface.notificationCategories) { call, application async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              await self.facts.categories(of: access.application.rawValue).map(\.entries)
            }
          },
          .method(Interface.setBadge) { call, application, badge async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              try await self.setBadge(badge, of: access)
            }
          },
          .method(Interface.registerForRemoteNotifications) {
            call, application, options async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              try await self.register(options, of: access)
            }
          },
          .method(Interface.unregisterForRemoteNotifications) { call, application async throws(BusError) in
            try await self.serve(call, for: application) { access async throws(BusError) in
              try await self.registrations.unregister(access.application.rawValue, isOfUser: access.isOfUser)
            }
          },
          .method(Interface.remoteNotificationRegistrations) { call async throws(BusError) in
            try await self.serve { () async throws(BusError) in try await self.registrations(for: call.sender)
            }
          },
          .signal(Interface.remoteNotificationTokenChanged),
          .property(Interface.version) { UsherVersion.text },
        ] + downloadMembers + locationMembers + bluetoothMembers + peripheralMembers))
  }

  /// Runs a call for the application that its caller names.
  func serve<Value: Sendable>(
    _ call: BusCall, for application: String,
    _ body: (CallerAccess.Access) async throws(BusError) -> Value
  ) async throws(BusError) -> Value {
    try await serve { () async throws(BusError) in
      try await body(try await access.access(to: application, for: call.sender))
    }
  }

  /// Runs a call after what is stored was loaded.
  func serve<Value: Sendable>(_ body: () async throws(BusError) -> Value) async throws(BusError)
    -> Value
  {
    try await gate.serve(body)
  }

  func requireInstalled(_ application: ApplicationID) async throws(BusError) {
    guard await identification.isInstalled(application) else { throw notInstalled(application) }
  }

  func notInstalled(_ application: ApplicationID) -> BusError {
    BusError(
      .noHandler,
      "“\(application.rawValue)” is not installed: no applications directory has \(application.rawValue).desktop"
    )
  }

  /// Requires that the application is installed, and that it has a permission.
  func requirePermission(
    _ permission: ApplicationPermission, of access: CallerAccess.Access
  ) async throws(BusError) {
    try await requireInstalled(access.application)
    try await permission.require(access.application.rawValue, isOfUser: access.isOfUser)
  }

  private func requestAuthorization(
    of access: CallerAccess.Access, _ options: [String]
  ) async throws(BusError) -> Bool {
    try await requireInstalled(access.application)
    let application = access.application.rawValue
    guard try await permission.status(of: application, asks: true) == .answered(.allowed) else {
      return false
    }
    try facts.update(application) { facts in
      let earlier = facts.options?.split(separator: " ").map(String.init) ?? []
      facts.options = Self.options.filter { options.contains($0) || earlier.contains($0) }.joined(
        separator: " ")
    }
    return true
  }

  /// The features that an application may use.
  private static let options = ["alert", "sound", "badge"]

  private func settings(of access: CallerAccess.Access) async throws(BusError) -> [String: Variant] {
    try await requireInstalled(access.application)
    let application = access.application.rawValue
    let status = try await permission.status(of: application, asks: false).answer
    let capabilities = try? await server.capabilities()
    var settings: [String: Variant] = [
      "authorization": .string(status.authorization),
      "actions": .boolean(capabilities?.contains("actions") ?? false),
      "inline-reply": .boolean(capabilities?.contains(NotificationServer.inlineReply) ?? false),
      "body-markup": .boolean(capabilities?.contains("body-markup") ?? false),
    ]
    for option in Self.options {
      let isEnabled = status != .denied && facts.uses(option, application)
      settings[option] = .string(
        capabilities == nil ? "not-supported" : isEnabled ? "enabled" : "disabled")
    }
    return settings
  }

  private func add(_ entries: [String: Variant], of access: CallerAccess.Access) async throws(BusError) {
    let request = try decoded(NotificationRequest(entries))
    try await requirePermission(permission, of: access)
    var state = RegionState.unknown
    if case .region(let region, _)? = request.trigger {
      try await locations.permission.require(access.application.rawValue, isOfUser: access.isOfUser)
      state = locations.monitor.position(relativeTo: region)
    }
    try scheduler.add(
      request, of: access.application.rawValue, state: state, isOfUser: access.isOfUser)
  }

  private func setBadge(_ badge: UInt32, of access: CallerAccess.Access) async throws(BusError) {
    // An application whose permission was revoked must be able to remove what it has shown.
    if badge == 0 {
      try await requireInstalled(access.application)
    } else {
      try await requirePermission(permission, of: access)
    }
    try await badges.set(badge, of: access.application.rawValue)
  }

  private func pending(of application: String) -> [[String: Variant]] {
    scheduler.pending(of: application).map { notification, next in
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
    presenter.delivered(of: application).map { request, date in
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
    try facts.update(access.application.rawValue) {
      $0.categories = sorted.isEmpty ? nil : PropertyList.array(sorted).json
    }
  }
}
