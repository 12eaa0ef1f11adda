// SPDX-License-Identifier: Apache-2.0
import Scenes

/// The manager of the Bluetooth devices that the application monitors, also while it does not run.
///
/// It may be created before the launch, and reports to its delegate on the main actor. Connecting devices and reading their values are
/// outside of Usher: BlueZ offers them to applications by itself.
@MainActor public final class CBCentralManager {
  /// The managers of this process, which the launch connects to the application.
  private static var all: [WeakManager] = []

  private struct WeakManager {
    weak var manager: CBCentralManager?
  }

  /// The identifier of a manager that was created without one; Core Bluetooth does not restore it, and Usher does.
  private static let defaultIdentifier = "CBCentralManager"

  private let restorationIdentifier: String
  private var backing: CentralManager?
  private var adapter: Adapter?
  /// The calls that wait for the launch.
  private var waiting: [@MainActor (CentralManager) async -> Void] = []
  /// The last call, which the next one follows.
  private var last: Task<Void, Never>?
  private var peripherals: [UUID: CBPeripheral] = [:]

  /// The user's answer to the request for Bluetooth devices, as far as it is known.
  public private(set) static var authorization = CBManagerAuthorization.notDetermined
  /// The state of the manager, as far as it is known; the delegate's `centralManagerDidUpdateState(_:)` is called with each change.
  public private(set) var state = CBManagerState.unknown
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
    Self.all.removeAll { $0.manager == nil }
    Self.all.append(WeakManager(manager: self))
    waiting.append { [weak self] in await self?.authorize($0) }
    self.delegate = delegate
    attach()
  }

  /// Connects the managers that were created before the launch.
  static func attachAll(to application: Application) {
    for entry in all where entry.manager?.backing == nil { entry.manager?.attach(to: application) }
  }

  /// Connects the manager to the running application, at its first use: a manager may be created before the launch.
  private func attach() {
    if backing == nil, let application = UIApplication.shared.backing { attach(to: application) }
  }

  private func attach(to application: Application) {
    let manager = CentralManager(of: application, restorationIdentifier: restorationIdentifier)
    (backing, adapter) = (manager, Adapter(self))
    if delegate != nil { manager.delegate = adapter }
    let calls = waiting
    waiting = []
    for call in calls { perform(call) }
  }

  /// Makes a call after the earlier ones, and after the launch.
  private func perform(_ call: @escaping @MainActor (CentralManager) async -> Void) {
    attach()
    guard let backing else { return waiting.append(call) }
    last = Task { [last] in
      await last?.value
      await call(backing)
    }
  }

  private func authorize(_ manager: CentralManager) async {
    // The restored state precedes all other calls of the delegate.
    await manager.waitForRestoration()
    do {
      var status = try await manager.authorizationStatus()
      if status == .notDetermined {
        status = try await manager.requestAuthorization() ? .allowedAlways : .denied
      }
      Self.authorization = CBManagerAuthorization(status)
      update(status == .allowedAlways ? .poweredOn : .unauthorized)
    } catch { update(.unsupported) }
  }

  private func update(_ new: CBManagerState) {
    guard new != state else { return }
    state = new
    delegate?.centralManagerDidUpdateState(self)
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
    perform { [weak self] manager in
      do { try await manager.scanForPeripherals(withServices: services) } catch { self?.fail(error) }
    }
  }

  /// Ends the monitoring of services.
  public func stopScan() {
    isScanning = false
    perform { [weak self] manager in
      do { try await manager.stopScan() } catch { self?.fail(error) }
    }
  }

  /// Monitors the connections of devices; the delegate's `connectionEventDidOccur` reports them.
  ///
  /// - Parameter options: The devices, under `peripheralUUIDs`. Services are not supported. `nil` ends the monitoring.
  public func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
    let identifiers = options?[.peripheralUUIDs] as? [UUID] ?? []
    let devices = Set(identifiers.compactMap { BluetoothAddress(peripheral: $0) })
    perform { [weak self] manager in
      do { try await manager.registerForConnectionEvents(of: devices) } catch { self?.fail(error) }
    }
  }

  /// Returns the devices with these identifiers, which are those of ``CBPeripheral/identifier``.
  public func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
    identifiers.compactMap { identifier in
      BluetoothAddress(peripheral: identifier).map { peripheral(BluetoothDevice(address: $0)) }
    }
  }

  private func fail(_ error: any Error) {
    update((error as? SceneError)?.brokerError == .denied ? .unauthorized : .unsupported)
  }

  /// Returns the object of a device, which is one for each device.
  fileprivate func peripheral(_ device: BluetoothDevice, isCurrent: Bool = false) -> CBPeripheral {
    let identifier = UUID(device.address)
    let peripheral = peripherals[identifier] ?? CBPeripheral(identifier)
    peripherals[identifier] = peripheral
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
