// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

@Suite struct TriggersInterfaceTests {
  @Test func `The declared interface is the documented one`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      let connection = try await BusConnection.open(.address(bus.address))
      try await connection.export(
        BusObject(
          TriggersInterface.path,
          [
            .method(TriggersInterface.requestAuthorization) { _, _, _ in true },
            .method(TriggersInterface.notificationSettings) { _, _ in [:] },
            .method(TriggersInterface.addNotification) { _, _, _ in },
            .method(TriggersInterface.pendingNotifications) { _, _ in [] },
            .method(TriggersInterface.deliveredNotifications) { _, _ in [] },
            .method(TriggersInterface.removePendingNotifications) { _, _, _ in },
            .method(TriggersInterface.removeAllPendingNotifications) { _, _ in },
            .method(TriggersInterface.removeDeliveredNotifications) { _, _, _ in },
            .method(TriggersInterface.removeAllDeliveredNotifications) { _, _ in },
            .method(TriggersInterface.setNotificationCategories) { _, _, _ in },
            .method(TriggersInterface.notificationCategories) { _, _ in [] },
            .method(TriggersInterface.setBadge) { _, _, _ in },
            .method(TriggersInterface.registerForRemoteNotifications) { _, _, _ in [:] },
            .method(TriggersInterface.unregisterForRemoteNotifications) { _, _ in },
            .method(TriggersInterface.remoteNotificationRegistrations) { _ in [] },
            .signal(TriggersInterface.remoteNotificationTokenChanged),
            .method(TriggersInterface.addDownload) { _, _, _ in [:] },
            .method(TriggersInterface.downloads) { _ in [] },
            .method(TriggersInterface.cancelDownloads) { _, _, _ in },
            .method(TriggersInterface.pauseDownloads) { _, _, _ in },
            .method(TriggersInterface.resumeDownloads) { _, _, _ in },
            .signal(TriggersInterface.downloadProgress),
            .method(TriggersInterface.requestLocationAuthorization) { _, _ in true },
            .method(TriggersInterface.locationAuthorization) { _, _ in "denied" },
            .method(TriggersInterface.addRegion) { _, _, _ in },
            .method(TriggersInterface.removeRegions) { _, _, _ in },
            .method(TriggersInterface.removeAllRegions) { _, _ in },
            .method(TriggersInterface.startSignificantLocationChanges) { _, _ in },
            .method(TriggersInterface.stopSignificantLocationChanges) { _, _ in },
            .method(TriggersInterface.monitoredLocations) { _ in [:] },
            .method(TriggersInterface.requestBluetoothAuthorization) { _, _ in true },
            .method(TriggersInterface.bluetoothAuthorization) { _, _ in "denied" },
            .method(TriggersInterface.addBluetoothCentral) { _, _, _ in },
            .method(TriggersInterface.removeBluetoothCentrals) { _, _, _ in },
            .method(TriggersInterface.removeAllBluetoothCentrals) { _, _ in },
            .method(TriggersInterface.bluetoothCentrals) { _ in [:] },
            .method(TriggersInterface.addBluetoothPeripheral) { _, _, _ in },
            .method(TriggersInterface.updateBluetoothValue) { _, _, _ in },
            .method(TriggersInterface.removeBluetoothPeripherals) { _, _, _ in },
            .method(TriggersInterface.removeAllBluetoothPeripherals) { _, _ in },
            .method(TriggersInterface.bluetoothPeripherals) { _ in [:] },
            .property(TriggersInterface.version, get: { "1" }),
          ]))
      #expect(try await connection.requestName(TriggersInterface.busName) == .owned)
      let data = try await connection.call(Introspectable.introspect, at: TriggersInterface.triggers)
      let name = TriggersInterface.name.rawValue
      #expect(try InterfaceDocument(name, in: data) == InterfaceDocument.documented(name))
      await connection.close()
    }
  }
}
