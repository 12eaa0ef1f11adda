// In the shape of “Core Bluetooth Programming Guide: Performing Common Peripheral Role Tasks”, with state restoration.
// https://developer.apple.com/library/archive/documentation/NetworkingInternetWeb/Conceptual/CoreBluetooth_concepts/PerformingCommonPeripheralRoleTasks/PerformingCommonPeripheralRoleTasks.html
import UIKitCompatibility

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

  static let identifier = "myPeripheralManagerIdentifier"
  static let lamp = CBUUID(string: "1815")
  static let brightness = CBUUID(string: "2A56")

  var myPeripheralManager: CBPeripheralManager?
  var myCharacteristic: CBMutableCharacteristic?
  var level: UInt8 = 50
  var log: [String] = []

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let peripheralManagerIdentifiers = launchOptions?[.bluetoothPeripherals] as? [String]
    if let peripheralManagerIdentifiers {
      report("started for \(peripheralManagerIdentifiers.joined(separator: " "))")
    }
    myPeripheralManager = CBPeripheralManager(
      delegate: self, queue: nil,
      options: [CBPeripheralManagerOptionRestoreIdentifierKey: Self.identifier])
    return true
  }

  func report(_ line: String) {
    log.append(line)
    print(line)
    fflush(nil)
  }
}

extension AppDelegate: CBPeripheralManagerDelegate {
  func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
    let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
    myCharacteristic =
      services.flatMap { $0.characteristics ?? [] }.first { $0.uuid == Self.brightness }
      as? CBMutableCharacteristic
    report("restores \(services.map(\.uuid.uuidString).joined(separator: " "))")
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return report("not allowed") }
    report("ready")
    // A restored manager publishes already.
    guard myCharacteristic == nil else { return }
    let characteristic = CBMutableCharacteristic(
      type: Self.brightness, properties: [.read, .write, .notify], value: nil,
      permissions: [.readable, .writeable])
    let service = CBMutableService(type: Self.lamp, primary: true)
    service.characteristics = [characteristic]
    myCharacteristic = characteristic
    peripheral.add(service)
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
    guard error == nil else { return report("not published") }
    peripheral.startAdvertising([
      CBAdvertisementDataLocalNameKey: "Lamp", CBAdvertisementDataServiceUUIDsKey: [service.uuid],
    ])
  }

  func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
    report(error == nil ? "advertises" : "not advertised")
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
    report("read")
    request.value = Data([level])
    peripheral.respond(to: request, withResult: .success)
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    guard let request = requests.first, let value = request.value?.first else { return }
    level = value
    report("write \(value)")
    peripheral.respond(to: request, withResult: .success)
    if let myCharacteristic {
      peripheral.updateValue(Data([value]), for: myCharacteristic, onSubscribedCentrals: nil)
    }
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
  ) { report("subscribed") }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
  ) { report("unsubscribed") }
}
