// SPDX-License-Identifier: Apache-2.0
import Scenes

/// The manager of the Bluetooth services that the application offers to other devices, also while it does not run.
///
/// `usher-triggers` answers writes itself, and reads of stored values; see ``respond(to:withResult:)``.
@MainActor public final class CBPeripheralManager: CBManager {
  /// The identifier of a manager that was created without one; Core Bluetooth does not restore it, and Usher does.
  private static let defaultIdentifier = "CBPeripheralManager"

  private let restorationIdentifier: String
  private var backing: PeripheralManager?
  private var adapter: Adapter?
  private var services: [CBMutableService] = []

  /// A Boolean value that is `true` while the manager advertises its services.
  public private(set) var isAdvertising = false

  /// The receiver of the events, which the manager does not retain.
  public weak var delegate: (any CBPeripheralManagerDelegate)? {
    didSet {
      attach()
      backing?.delegate = delegate == nil ? nil : adapter
    }
  }

  /// Creates a manager, and asks the user once whether the application may use Bluetooth devices.
  ///
  /// - Parameters:
  ///   - queue: The queue of the delegate's calls in Core Bluetooth; here they are made on the main actor.
  ///   - options: The restoration identifier, under `CBPeripheralManagerOptionRestoreIdentifierKey`.
  public init(
    delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
  ) {
    restorationIdentifier =
      options?[CBPeripheralManagerOptionRestoreIdentifierKey] as? String ?? Self.defaultIdentifier
    super.init()
    self.delegate = delegate
    attach()
  }

  override func connect(to application: Application) -> (any RestorableManager)? {
    let manager = PeripheralManager(of: application, restorationIdentifier: restorationIdentifier)
    (backing, adapter) = (manager, Adapter(self))
    if delegate != nil { manager.delegate = adapter }
    return manager
  }

  override func stateChanged() { delegate?.peripheralManagerDidUpdateState(self) }

  /// Makes a call after the earlier ones, and reports its error.
  private func call(
    _ body: @escaping @MainActor (PeripheralManager) async throws -> Void,
    then finish: @escaping @MainActor (CBPeripheralManager, (any Error)?) -> Void = { _, _ in }
  ) {
    perform { [weak self] in
      guard let self, let backing = self.backing else { return }
      do {
        try await body(backing)
        finish(self, nil)
      } catch {
        if (error as? SceneError)?.brokerError == .denied { fail(error) }
        finish(self, error)
      }
    }
  }

  // MARK: - Services

  /// Publishes a service; the delegate's `didAdd` reports the outcome.
  public func add(_ service: CBMutableService) {
    services.removeAll { $0.uuid == service.uuid }
    services.append(service)
    let made = service.service
    call {
      guard let made else { throw CBATTError(.attributeNotFound) }
      try await $0.add(made)
    } then: { [weak service] in
      if let service { $0.delegate?.peripheralManager($0, didAdd: service, error: $1) }
    }
  }

  /// Withdraws a service.
  public func remove(_ service: CBMutableService) {
    services.removeAll { $0.uuid == service.uuid }
    guard let uuid = service.uuid.uuid else { return }
    call { try await $0.remove(uuid) }
  }

  /// Withdraws all services.
  public func removeAllServices() {
    services = []
    call { try await $0.removeAllServices() }
  }

  /// Advertises the peripheral; the delegate's `peripheralManagerDidStartAdvertising(_:error:)` reports the outcome.
  ///
  /// - Parameter advertisementData: The name, under `CBAdvertisementDataLocalNameKey`, and the services, under
  ///   `CBAdvertisementDataServiceUUIDsKey`; other data is ignored, as in Core Bluetooth.
  public func startAdvertising(_ advertisementData: [String: Any]?) {
    isAdvertising = true
    let name = advertisementData?[CBAdvertisementDataLocalNameKey] as? String
    let uuids = advertisementData?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
    let services = Set(uuids.compactMap(\.uuid))
    call {
      try await $0.startAdvertising(localName: name, services: services)
    } then: { manager, error in
      if error != nil { manager.isAdvertising = false }
      manager.delegate?.peripheralManagerDidStartAdvertising(manager, error: error)
    }
  }

  /// Ends the advertising.
  public func stopAdvertising() {
    isAdvertising = false
    call { try await $0.stopAdvertising() }
  }

  /// Stores a value, and sends it to the devices that have subscribed to it.
  ///
  /// - Parameter centrals: Ignored: BlueZ sends the value to all devices that have subscribed.
  /// - Returns: `true`, because the value is stored until BlueZ takes it.
  @discardableResult
  public func updateValue(
    _ value: Data, for characteristic: CBMutableCharacteristic, onSubscribedCentrals centrals: [CBCentral]?
  ) -> Bool {
    characteristic.value = value
    guard let id = characteristic.id else { return true }
    call { try await $0.updateValue(Array(value), for: id) }
    return true
  }

  /// Answers a read with the value of the request.
  ///
  /// The answer to a write has no effect: the device got its response when `usher-triggers` had stored the write.
  ///
  /// - Parameter result: The result; with another one than `success`, the device gets the error `unlikelyError`.
  public func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
    request.finish(result == .success ? request.value : nil)
  }

  // MARK: - Events

  /// The delegate of the manager of `Scenes`.
  private final class Adapter: PeripheralManagerDelegate {
    private weak let manager: CBPeripheralManager?

    init(_ manager: CBPeripheralManager) { self.manager = manager }

    func peripheralManager(_: PeripheralManager, willRestoreState peripheral: BluetoothPeripheral) async {
      await restore(peripheral)
    }

    func peripheralManager(
      _: PeripheralManager, didReceiveRead request: BluetoothReadRequest
    ) async -> [UInt8]? { await read(request) }

    func peripheralManager(
      _: PeripheralManager, didReceiveWrite request: BluetoothWriteRequest
    ) async {
      await report(request.characteristic) { manager, delegate, characteristic in
        delegate.peripheralManager(
          manager,
          didReceiveWrite: [
            CBATTRequest(
              characteristic, by: request.device, offset: request.offset, value: Data(request.value))
          ])
      }
    }

    func peripheralManager(
      _: PeripheralManager, didSubscribeTo characteristic: BluetoothCharacteristicID
    ) async {
      await report(characteristic) { manager, delegate, characteristic in
        delegate.peripheralManager(manager, central: CBCentral(nil), didSubscribeTo: characteristic)
      }
    }

    func peripheralManager(
      _: PeripheralManager, didUnsubscribeFrom characteristic: BluetoothCharacteristicID
    ) async {
      await report(characteristic) { manager, delegate, characteristic in
        delegate.peripheralManager(manager, central: CBCentral(nil), didUnsubscribeFrom: characteristic)
      }
    }

    @MainActor private func restore(_ peripheral: BluetoothPeripheral) {
      guard let manager else { return }
      manager.services = peripheral.services.map { CBMutableService($0) }
      manager.isAdvertising = peripheral.advertisement != nil
      var state: [String: Any] = [CBPeripheralManagerRestoredStateServicesKey: manager.services]
      if let advertisement = peripheral.advertisement {
        var data: [String: Any] = [
          CBAdvertisementDataServiceUUIDsKey: advertisement.services.sorted().map(CBUUID.init)
        ]
        data[CBAdvertisementDataLocalNameKey] = advertisement.localName
        state[CBPeripheralManagerRestoredStateAdvertisementDataKey] = data
      }
      manager.delegate?.peripheralManager(manager, willRestoreState: state)
    }

    /// Makes a call after the state was reported, as in Core Bluetooth.
    @MainActor private func report(
      _ id: BluetoothCharacteristicID,
      _ call: @MainActor (CBPeripheralManager, any CBPeripheralManagerDelegate, CBCharacteristic) -> Void
    ) async {
      await manager?.last?.value
      guard let manager, let delegate = manager.delegate, let characteristic = manager.characteristic(id)
      else { return }
      call(manager, delegate, characteristic)
    }

    @MainActor private func read(_ request: BluetoothReadRequest) async -> [UInt8]? {
      await manager?.last?.value
      guard let manager, let delegate = manager.delegate,
        let characteristic = manager.characteristic(request.characteristic)
      else { return nil }
      let value: Data? = await withCheckedContinuation { reply in
        delegate.peripheralManager(
          manager, didReceiveRead: CBATTRequest(characteristic, by: request.device, reply: reply))
      }
      return value.map { Array($0) }
    }
  }

  fileprivate func characteristic(_ id: BluetoothCharacteristicID) -> CBCharacteristic? {
    services.first { $0.uuid.uuid == id.service }?.characteristics?
      .first { $0.uuid.uuid == id.characteristic }
  }
}

/// The receiver of the events of a peripheral manager; all methods but one are optional.
@MainActor public protocol CBPeripheralManagerDelegate: AnyObject {
  /// Reports that the state of the manager has changed.
  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager)
  /// Reports what the manager published when the application was started for one of its events, before all other calls.
  func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any])
  /// Reports that the advertising has started, or why not.
  func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?)
  /// Reports that a service is published, or why not.
  func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?)
  /// Reports that the first device has subscribed to a value.
  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic)
  /// Reports that the last device has ended its subscription to a value.
  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
  )
  /// Reports a read of a value that is not stored; `respond(to:withResult:)` answers it within four seconds.
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest)
  /// Reports a write, which is always one request.
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest])
  /// Reports that further values can be sent; Usher does not call it, because `updateValue` always succeeds.
  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager)
}

extension CBPeripheralManagerDelegate {
  /// Does nothing.
  public func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {}
  /// Does nothing.
  public func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {}
  /// Does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
  ) {}
  /// Does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
  ) {}
  /// Does nothing.
  public func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
  ) {}
  /// Rejects the read.
  public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
    peripheral.respond(to: request, withResult: .requestNotSupported)
  }
  /// Does nothing.
  public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
  }
  /// Does nothing.
  public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {}
}

/// The option with the restoration identifier of a peripheral manager, a `String`.
public let CBPeripheralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"
/// The option whether the user is warned that Bluetooth is turned off, which Usher ignores.
public let CBPeripheralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// The services of a restored manager, as `[CBMutableService]`.
public let CBPeripheralManagerRestoredStateServicesKey = "kCBRestoredServices"
/// The advertisement of a restored manager, as `[String: Any]`.
public let CBPeripheralManagerRestoredStateAdvertisementDataKey = "kCBRestoredAdvertisement"
/// The advertised name, a `String`.
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
