// In the shape of “Handling location updates in the background”: the significant-change service starts the app again.
// https://developer.apple.com/documentation/corelocation/handling-location-updates-in-the-background
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

  let locationManager = CLLocationManager()
  var log: [String] = []

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    if launchOptions?[.location] != nil {
      // The event arrives at the delegate of the manager.
      report("started for a location")
    }
    locationManager.delegate = self
    locationManager.requestAlwaysAuthorization()
    startMySignificantLocationChanges()
    monitorRegionAtLocation(
      center: CLLocationCoordinate2D(latitude: 48.137, longitude: 11.575), identifier: "home")
    return true
  }

  func startMySignificantLocationChanges() {
    if !CLLocationManager.significantLocationChangeMonitoringAvailable() {
      // The device does not support this service.
      return
    }
    locationManager.startMonitoringSignificantLocationChanges()
  }

  func monitorRegionAtLocation(center: CLLocationCoordinate2D, identifier: String) {
    // Make sure the device supports region monitoring.
    if CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self) {
      let region = CLCircularRegion(center: center, radius: 1_000, identifier: identifier)
      region.notifyOnEntry = true
      region.notifyOnExit = true
      locationManager.startMonitoring(for: region)
    }
  }

  func report(_ line: String) {
    log.append(line)
    print(line)
    fflush(nil)
  }
}

extension AppDelegate: CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let lastLocation = locations.last else { return }
    report(String(format: "moved to %.2f", lastLocation.coordinate.latitude))
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    if let region = region as? CLCircularRegion {
      report("entered \(region.identifier)")
    }
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    report("left \(region.identifier)")
  }

  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    report("\(region.identifier) \(state)")
  }

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    report("monitors \(region.identifier)")
    manager.requestState(for: region)
  }

  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: Error
  ) {
    report("cannot monitor \(region?.identifier ?? ""): \(error.localizedDescription)")
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    if let error = error as? CLError, error.code == .denied {
      // Location updates are not authorized.
      report("denied")
      return
    }
    report(error.localizedDescription)
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    if manager.authorizationStatus == .authorizedAlways {
      report("authorized")
    }
  }
}
