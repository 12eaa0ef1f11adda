// SPDX-License-Identifier: Apache-2.0
import Scenes

/// The manager of the Bluetooth devices that the application monitors, also while it does not run.
///
/// Connecting devices and reading their values are outside of Usher: BlueZ offers them to applications by itself.
@MainActor public final class CBCentralManager: CBManager {
  /// The identifier of a manager that was created without one; Core Bluetooth does not restore it, and Usher does.
  private static let defaultIdentifier = "CBCentralManager"

  private let restorationIdentifier: String
  private var backing: CentralManager?
  private var adapter: Adapter?
  /// The devices whose objects the application retains.
  private var peripherals: [UUID: WeakPeripheral] = [:]

  /// A Boolean value that is `true` while services are monitored.
  public private(set) var isScanning = false

  /// The receiver of the events, which the manager does not retain.
  public weak var delegate: (any CBCentralManagerDelegate)? {
    didSet {
      attach()
      backing?.delegate = delegate == nil ? nil : adapter
    }
  }

  /// Creates a manager, and asks the user once whether the application may use Bluetooth devices.
  ///
  /// - Parameters:
  ///   - queue: The queue of the delegate's calls in Core Bluetooth; here they are made on the main actor.
  ///   - options: The restoration identifier, under `CBCentralManagerOptionRestoreIdentifierKey`.
  public init(
    delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
  ) {
    restorationIdentifier =
      options?[CBCentralManagerOptionRestoreIdentifierKey] as? String ?? Self.defaultIdentifier
    super.init()
    self.delegate = delegate
    attach()
  }

  override func connect(to application: Application) -> (any RestorableManager)? {
    let manager = CentralManager(of: application, restorationIdentifier: restorationIdentifier)
    (backing, adapter) = (manager, Adapter(self))
    if delegate != nil { manager.delegate = adapter }
    return manager
  }

  override func stateChanged() { delegate?.centralManagerDidUpdateState(self) }

  private func call(_ body: @escaping @MainActor (CentralManager) async throws -> Void) {
    perform { [weak self] in
      guard let self, let backing = self.backing else { return }
      do { try await body(backing) } catch { fail(error) }
    }
  }

  // MARK: - Monitoring

  /// Monitors the devices that advertise or offer one of these services; the delegate's `didDiscover` reports them.
  ///
  /// - Parameters:
  ///   - serviceUUIDs: The services. `nil`, which means all devices in Core Bluetooth, finds none, as in the background there.
  ///   - options: Ignored; each device is reported once, and again after five minutes at the earliest.
  public func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
    isScanning = true
    let services = Set((serviceUUIDs ?? []).compactMap(\.uuid))
    call { try await $0.scanForPeripherals(withServices: services) }
  }

  /// Ends the monitoring of services.
  public func stopScan() {
    isScanning = false
    call { try await $0.stopScan() }
  }

  /// Monitors the connections of devices; the delegate's `connectionEventDidOccur` reports them.
  ///
  /// - Parameter options: The devices, under `peripheralUUIDs`. Services are not supported. `nil` ends the monitoring.
  public func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
    let identifiers = options?[.peripheralUUIDs] as? [UUID] ?? []
    let devices = Set(identifiers.compactMap { BluetoothAddress(peripheral: $0) })
    call { try await $0.registerForConnectionEvents(of: devices) }
  }

  /// Returns the devices with these identifiers, which are those of ``CBPeripheral/identifier``.
  public func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
    identifiers.compactMap { identifier in
      BluetoothAddress(peripheral: identifier).map { peripheral(BluetoothDevice(address: $0)) }
    }
  }

  /// Returns the object of a device, which is one for each device.
  fileprivate func peripheral(_ device: BluetoothDevice, isCurrent: Bool = false) -> CBPeripheral {
    let identifier = UUID(device.address)
    let peripheral = peripherals[identifier]?.peripheral ?? CBPeripheral(identifier)
    // Devices change their addresses, so that a scan reports ever new ones.
    peripherals = peripherals.filter { $0.value.peripheral != nil }
    peripherals[identifier] = WeakPeripheral(peripheral: peripheral)
    peripheral.name = device.name ?? peripheral.name
    if isCurrent { peripheral.state = device.isConnected ? .connected : .disconnected }
    return peripheral
  }

  // MARK: - Events

  /// The delegate of the manager of `Scenes`.
  private final class Adapter: CentralManagerDelegate {
    private weak let manager: CBCentralManager?

    init(_ manager: CBCentralManager) { self.manager = manager }

    func centralManager(_: CentralManager, willRestoreState central: BluetoothCentral) async {
      await report(waitsForState: false) { manager, delegate in
        manager.isScanning = !central.services.isEmpty
        delegate.centralManager(
          manager,
          willRestoreState: [
            CBCentralManagerRestoredStatePeripheralsKey: central.devices.sorted().map {
              manager.peripheral(BluetoothDevice(address: $0))
            },
            CBCentralManagerRestoredStateScanServicesKey: central.services.sorted().map(CBUUID.init),
          ])
      }
    }

    func centralManager(
      _: CentralManager, connectionEventDidOccur event: BluetoothConnectionEvent, for device: BluetoothDevice
    ) async {
      await report {
        $1.centralManager(
          $0, connectionEventDidOccur: event == .peerConnected ? .peerConnected : .peerDisconnected,
          for: $0.peripheral(device, isCurrent: true))
      }
    }

    func centralManager(_: CentralManager, didDiscover device: BluetoothDevice) async {
      await report {
        $1.centralManager(
          $0, didDiscover: $0.peripheral(device, isCurrent: true),
          advertisementData: [
            CBAdvertisementDataServiceUUIDsKey: device.services.sorted().map(CBUUID.init)
          ],
          // The value by which Core Bluetooth says that the signal strength is unknown.
          rssi: 127)
      }
    }

    /// - Parameter waitsForState: A Boolean value that is `true` if the state is reported before the event, as in Core Bluetooth.
    @MainActor private func report(
      waitsForState: Bool = true,
      _ call: @MainActor (CBCentralManager, any CBCentralManagerDelegate) -> Void
    ) async {
      if waitsForState { await manager?.last?.value }
      guard let manager, let delegate = manager.delegate else { return }
      call(manager, delegate)
    }
  }
}

/// The object of a device, which is not retained.
private struct WeakPeripheral {
  weak var peripheral: CBPeripheral?
}

/// The receiver of the events of a central manager; all methods but one are optional.
@MainActor public protocol CBCentralManagerDelegate: AnyObject {
  /// Reports that the state of the manager has changed.
  func centralManagerDidUpdateState(_ central: CBCentralManager)
  /// Reports what the manager monitored when the application was started for one of its events, before all other calls.
  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])
  /// Reports that a device with a monitored service is in range; the signal strength is not known.
  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber)
  /// Reports that a device is connected, or no longer.
  func centralManager(
    _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral)
}

extension CBCentralManagerDelegate {
  /// Does nothing.
  public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {}
  /// Does nothing.
  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {}
  /// Does nothing.
  public func centralManager(
    _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral
  ) {}
}
