// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import Glibc
import TestSupport

/// Calls of `usher-triggers`, which the bus of a desktop starts.
struct TriggerDaemon: Sendable {
  let desk: InstalledDesktop
  let bus: BusConnection

  init(on desk: InstalledDesktop) async throws {
    self.desk = desk
    bus = try await desk.connect()
  }

  /// Adds a notification of `ServedApplication`, in the form of JSON.
  func add(_ json: String, to application: String = ServedApplication.id) async throws {
    try await bus.call(
      TriggersInterface.addNotification, at: TriggersInterface.triggers, application,
      [String: Variant](json: json))
  }

  /// Sets the categories of an application.
  func setCategories(_ json: String..., of application: String = ServedApplication.id) async throws {
    try await bus.call(
      TriggersInterface.setNotificationCategories, at: TriggersInterface.triggers, application,
      try json.map { try [String: Variant](json: $0) })
  }

  /// Returns the identifiers of the pending notifications.
  func pending(of application: String = ServedApplication.id) async throws -> [String] {
    try await list(TriggersInterface.pendingNotifications, of: application).compactMap {
      $0["identifier"]?.string
    }
  }

  /// Returns the states of the regions of pending notifications, by their identifiers.
  func regionStates(of application: String = ServedApplication.id) async throws -> [String: String] {
    try await list(TriggersInterface.pendingNotifications, of: application).reduce(into: [:]) {
      guard let identifier = $1["identifier"]?.string else { return }
      $0[identifier] = $1["state"]?.string
    }
  }

  /// Returns the identifiers of the delivered notifications.
  func delivered(of application: String = ServedApplication.id) async throws -> [String] {
    try await list(TriggersInterface.deliveredNotifications, of: application).compactMap {
      $0["request"]?.entries?["identifier"]?.string
    }
  }

  /// Calls a method, and calls the next daemon if the first one is killed.
  private func list(
    _ method: BusMethod<Arguments<String>, Arguments<[[String: Variant]]>>, of application: String
  ) async throws -> [[String: Variant]] {
    while true {
      do {
        return try await bus.call(method, at: TriggersInterface.triggers, application)
      } catch {
        guard error.name == .noReply else { throw error }
      }
    }
  }

  /// Waits until the delivered notifications have these identifiers, the newest first.
  func waitUntilDelivered(
    _ identifiers: [String], of application: String = ServedApplication.id
  ) async throws {
    try await withDeadline(Command.defaultDeadline, "delivered notifications: \(identifiers)") {
      while try await delivered(of: application) != identifiers {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Runs `body` while calls start the next daemon whenever one was killed, as the service manager does.
  func beingRestarted<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    let caller = Task { [bus] in
      while !Task.isCancelled {
        _ = try? await bus.get(TriggersInterface.version, at: TriggersInterface.triggers)
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    caller.cancel()
    await caller.value
    return try result.get()
  }

  /// The process ID of the daemon.
  func processID() async throws -> Int32? {
    try await bus.credentials(of: TriggersInterface.busName).processID
  }

  /// Kills the daemon, and waits for its exit; it may have exited before, because it had nothing to do.
  func kill() async throws {
    do {
      guard let pid = try await processID() else { return }
      try await desk.end(pid, SIGKILL)
    } catch let error as BusError where error.name == .nameHasNoOwner {}
  }
}
