// SPDX-License-Identifier: Apache-2.0
import ScenesTesting
import TestSupport
import Testing
import UIKitCompatibility

/// A delegate that reports which regions are monitored.
private class RegionDelegate: UIResponder, UIApplicationDelegate, CLLocationManagerDelegate {
  let (started, continuation) = AsyncStream<String>.makeStream()

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    continuation.yield(region.identifier)
  }
}

extension `UIKit compatibility` {
  @Suite(.serialized) @MainActor struct `A location manager` {
    @Test func `does not list a region whose monitoring ended before its start was complete`() async throws {
      let delegate = RegionDelegate()
      let app = TestApplication(delegate: delegate)
      try await app.launch()
      let manager = CLLocationManager()
      manager.delegate = delegate
      manager.requestAlwaysAuthorization()
      let center = CLLocationCoordinate2D(latitude: 48, longitude: 11)
      let shop = CLCircularRegion(center: center, radius: 200, identifier: "shop")
      manager.startMonitoring(for: shop)
      manager.stopMonitoring(for: shop)
      manager.startMonitoring(for: CLCircularRegion(center: center, radius: 200, identifier: "work"))
      let started = delegate.started
      _ = try await withDeadline(Command.defaultDeadline, "the second region") {
        await started.first { $0 == "work" }
      }
      #expect(manager.monitoredRegions.map(\.identifier) == ["work"])
      #expect(app.monitoredRegions.map(\.identifier) == ["work"])
      #expect(manager.delegate === delegate)
    }
  }
}
