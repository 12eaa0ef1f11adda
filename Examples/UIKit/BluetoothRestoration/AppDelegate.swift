// In the shape of “Core Bluetooth Background Processing for iOS Apps”: state preservation and restoration.
// https://developer.apple.com/library/archive/documentation/NetworkingInternetWeb/Conceptual/CoreBluetooth_concepts/CoreBluetoothBackgroundProcessingForIOSApps/PerformingTasksWhileYourAppIsInTheBackground.html
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

  static let identifier = "myCentralManagerIdentifier"
  static let heartRate = CBUUID(string: "180D")

  var myCentralManager: CBCentralManager?
  var peripherals: [CBPeripheral] = []
  var log: [String] = []

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let centralManagerIdentifiers = launchOptions?[.bluetoothCentrals] as? [String]
    if let centralManagerIdentifiers {
      report("started for \(centralManagerIdentifiers.joined(separator: " "))")
    }
    myCentralManager = CBCentralManager(
      delegate: self, queue: nil, options: [CBCentralManagerOptionRestoreIdentifierKey: Self.identifier])
    return true
  }

  func report(_ line: String) {
    log.append(line)
    print(line)
    fflush(nil)
  }
}

extension AppDelegate: CBCentralManagerDelegate {
  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
    peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
    let services = dict[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID] ?? []
    report("restores \(peripherals.count) \(services.map(\.uuidString).joined(separator: " "))")
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return report("not allowed") }
    report("ready")
    // A restored manager monitors already.
    if !central.isScanning { central.scanForPeripherals(withServices: [Self.heartRate]) }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    report("found \(peripheral.name ?? "a device")")
    peripherals.append(peripheral)
    central.registerForConnectionEvents(options: [.peripheralUUIDs: peripherals.map(\.identifier)])
  }

  func centralManager(
    _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral
  ) {
    report("\(peripheral.name ?? "a device") \(event == .peerConnected ? "connected" : "disconnected")")
  }
}
