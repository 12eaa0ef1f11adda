// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import Triggers

/// A manager of the Bluetooth services that an application offers to other devices, corresponding to `CBPeripheralManager`.
///
/// `usher-triggers` offers the services also while the application does not run: it answers reads from the stored values, stores what
/// other devices write, and starts the application for it. An application that was started creates its manager again, with its
/// restoration identifier, at the latest in `didFinishLaunching`, and sets the delegate. The delegate then receives
/// `peripheralManager(_:willRestoreState:)`, and the event after it.
///
/// ```swift
/// manager = PeripheralManager(of: application, restorationIdentifier: "lamp")
/// manager.delegate = self
/// guard try await manager.requestAuthorization() else { return }
/// try await manager.add(BluetoothService(lamp, characteristics: [brightness]))
/// try await manager.startAdvertising(localName: "Lamp", services: [lamp])
/// ```
/// The methods throw ``SceneError/bluetoothFailed(_:)`` if `usher-triggers` rejects the call or does not run. Simultaneous calls have an
/// effect one after the other.
public final class PeripheralManager: Sendable {
  private struct State {
    weak var delegate: (any PeripheralManagerDelegate)?
    /// The report of the restored state, which only the first delegate receives.
    var restoration: Task<Void, Never>?
  }

  /// The identifier by which the application recognizes the manager that was restored (`CBPeripheralManagerOptionRestoreIdentifierKey`).
  public let restorationIdentifier: String
  private let application: Application
  private let state = Mutex(State())

  /// Creates a manager of an application.
  public init(of application: Application, restorationIdentifier: String) {
    self.application = application
    self.restorationIdentifier = restorationIdentifier
    application.bluetoothEvents.add(self)
  }

  private var publisher: any TriggersService { application.triggers }

  /// The receiver of the events, which the manager does not retain.
  ///
  /// A delegate that is set later than the event for which the application was started receives it then, unless it is a read or
  /// `application(_:didReceive:)` has handled it.
  public var delegate: (any PeripheralManagerDelegate)? {
    get { state.withLock { $0.delegate } }
    set {
      state.withLock { $0.delegate = newValue }
      guard let newValue else { return }
      restore(to: newValue)
      application.bluetoothEvents.deliverHeld()
    }
  }

  /// Reports the restored state to the first delegate, if the application was started for an event of this manager.
  private func restore(to delegate: any PeripheralManagerDelegate) {
    guard case .peripheral(let event) = application.update({ $0.bluetooth.launch }),
      event.peripheral.identifier == restorationIdentifier
    else { return }
    let peripheral = event.peripheral
    state.withLock { state in
      guard state.restoration == nil else { return }
      state.restoration = Task { await delegate.peripheralManager(self, willRestoreState: peripheral) }
    }
  }

  /// Waits until the delegate has received the restored state, if there is one.
  package nonisolated(nonsending) func waitForRestoration() async {
    await state.withLock { $0.restoration }?.value
  }

  /// Asks the user whether the application may be started for Bluetooth devices, and returns the answer.
  ///
  /// The user is asked once; after that, the method returns the stored answer.
  public nonisolated(nonsending) func requestAuthorization() async throws(SceneError) -> Bool {
    try await publisher.requestBluetoothAuthorization()
  }

  /// Returns the user's answer, without asking.
  public nonisolated(nonsending) func authorizationStatus() async throws(SceneError)
    -> BluetoothAuthorizationStatus
  {
    try await publisher.bluetoothAuthorization()
  }

  /// Returns what the manager publishes; a peripheral without services if nothing.
  public nonisolated(nonsending) func publishedPeripheral() async throws(SceneError) -> BluetoothPeripheral {
    try await publisher.peripheral(restorationIdentifier)
      ?? BluetoothPeripheral(identifier: restorationIdentifier)
  }

  // MARK: Services

  /// Publishes a service, instead of one with its UUID.
  ///
  /// A service that is published already, with the same characteristics, keeps its subscriptions.
  ///
  /// - Throws: An error with ``SceneError/brokerError`` `denied` if the user does not allow it, and `tooMany` or `invalidRequest` beyond
  ///   the limits of `org.usher.Triggers1.xml`.
  public nonisolated(nonsending) func add(_ service: BluetoothService) async throws(SceneError) {
    try await change { $0.add(service) }
  }

  /// Withdraws the service with this UUID.
  public nonisolated(nonsending) func remove(_ service: BluetoothUUID) async throws(SceneError) {
    try await change { peripheral in peripheral.services.removeAll { $0.uuid == service } }
  }

  /// Withdraws all services.
  public nonisolated(nonsending) func removeAllServices() async throws(SceneError) {
    try await change { $0.services = [] }
  }

  /// Advertises the peripheral, so that other devices find it.
  ///
  /// - Throws: As for ``add(_:)``.
  public nonisolated(nonsending) func startAdvertising(
    localName: String? = nil, services: Set<BluetoothUUID> = []
  ) async throws(SceneError) {
    try await change {
      $0.advertisement = BluetoothAdvertisement(localName: localName, services: services)
    }
  }

  /// Ends the advertising.
  public nonisolated(nonsending) func stopAdvertising() async throws(SceneError) {
    try await change { $0.advertisement = nil }
  }

  /// Stores a value, which reads get from now on, and sends it to the devices that have subscribed to it.
  ///
  /// - Throws: An error with ``SceneError/brokerError`` `invalidRequest` if the manager has no such characteristic.
  public nonisolated(nonsending) func updateValue(
    _ value: [UInt8], for characteristic: BluetoothCharacteristicID
  ) async throws(SceneError) {
    let update = BluetoothValueUpdate(
      value, of: characteristic.characteristic, in: characteristic.service, identifier: restorationIdentifier)
    try await application.changeBluetooth { () async throws(SceneError) in
      try await self.publisher.update(update)
    }
  }

  private nonisolated(nonsending) func change(
    _ body: @escaping @Sendable (inout BluetoothPeripheral) -> Void
  ) async throws(SceneError) {
    try await application.changeBluetooth { () async throws(SceneError) in
      var peripheral = try await self.publishedPeripheral()
      body(&peripheral)
      guard peripheral.isEmpty else { return try await self.publisher.add(peripheral) }
      try await self.publisher.removePeripheral(self.restorationIdentifier)
    }
  }
}

extension PeripheralManager: EventManager {
  /// A manager with its delegate at the time of an event.
  private struct Receiver: EventReceiver {
    let manager: PeripheralManager
    let delegate: any PeripheralManagerDelegate
    let event: BluetoothPeripheralEvent

    nonisolated(nonsending) func receive() async -> SceneResult {
      await manager.waitForRestoration()
      let characteristic = event.characteristic
      switch event.kind {
      case .read:
        let request = BluetoothReadRequest(characteristic: characteristic, device: event.device)
        let value = await delegate.peripheralManager(manager, didReceiveRead: request)
        return value.map { .handled(["value": .data($0)]) } ?? .notHandled
      case .write(let value, let offset):
        await delegate.peripheralManager(
          manager,
          didReceiveWrite: BluetoothWriteRequest(
            characteristic: characteristic, value: value, offset: offset, device: event.device))
      case .subscribed: await delegate.peripheralManager(manager, didSubscribeTo: characteristic)
      case .unsubscribed: await delegate.peripheralManager(manager, didUnsubscribeFrom: characteristic)
      }
      return .handled
    }
  }

  func receiver(of request: BluetoothRequest) -> (any EventReceiver)? {
    guard case .peripheral(let event) = request, event.peripheral.identifier == restorationIdentifier else {
      return nil
    }
    return delegate.map { Receiver(manager: self, delegate: $0, event: event) }
  }
}

/// The receiver of the events of a ``PeripheralManager``, corresponding to `CBPeripheralManagerDelegate`.
///
/// The methods run with the isolation of the implementing type.
public protocol PeripheralManagerDelegate: AnyObject, Sendable {
  /// Reports what the manager publishes when the application was started for one of its events, before that event.
  func peripheralManager(
    _ manager: PeripheralManager, willRestoreState peripheral: BluetoothPeripheral) async
  /// Returns the value that a device reads, and that is not stored; `nil` if the read fails.
  ///
  /// The device gets the value if the method returns within four seconds after its request, the start of the application included.
  func peripheralManager(
    _ manager: PeripheralManager, didReceiveRead request: BluetoothReadRequest
  ) async -> [UInt8]?
  /// Reports a value that a device has sent; the device has its response already.
  func peripheralManager(
    _ manager: PeripheralManager, didReceiveWrite request: BluetoothWriteRequest) async
  /// Reports that the first device has subscribed to a value.
  func peripheralManager(
    _ manager: PeripheralManager, didSubscribeTo characteristic: BluetoothCharacteristicID) async
  /// Reports that the last device has ended its subscription to a value, or its connection.
  func peripheralManager(
    _ manager: PeripheralManager, didUnsubscribeFrom characteristic: BluetoothCharacteristicID) async
}

extension PeripheralManagerDelegate {
  /// Does nothing.
  public func peripheralManager(
    _ manager: PeripheralManager, willRestoreState peripheral: BluetoothPeripheral
  ) async {}
  /// Returns `nil`.
  public func peripheralManager(
    _ manager: PeripheralManager, didReceiveRead request: BluetoothReadRequest
  ) async -> [UInt8]? { nil }
  /// Does nothing.
  public func peripheralManager(
    _ manager: PeripheralManager, didReceiveWrite request: BluetoothWriteRequest
  ) async {}
  /// Does nothing.
  public func peripheralManager(
    _ manager: PeripheralManager, didSubscribeTo characteristic: BluetoothCharacteristicID
  ) async {}
  /// Does nothing.
  public func peripheralManager(
    _ manager: PeripheralManager, didUnsubscribeFrom characteristic: BluetoothCharacteristicID
  ) async {}
}

/// A read of a value that is not stored, corresponding to `CBATTRequest`.
public struct BluetoothReadRequest: Hashable, Sendable {
  /// The value.
  public let characteristic: BluetoothCharacteristicID
  /// The device; `nil` if BlueZ does not name it.
  public let device: BluetoothAddress?
}

/// A value that a device has sent, corresponding to `CBATTRequest`.
public struct BluetoothWriteRequest: Hashable, Sendable {
  /// The characteristic, whose stored value does not change by the write.
  public let characteristic: BluetoothCharacteristicID
  /// The bytes.
  public let value: [UInt8]
  /// The position of the first byte in the whole value.
  public let offset: Int
  /// The device; `nil` if BlueZ does not name it.
  public let device: BluetoothAddress?
}
