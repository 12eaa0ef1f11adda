// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
public import Scenes
public import Triggers

/// Bluetooth devices of an application under test.
///
/// ```swift
/// try await app.launch()                                    // the application calls scanForPeripherals(withServices:)
/// #expect(app.bluetoothCentrals.map(\.identifier) == ["heart-rate"])
/// try await app.bringDevice(belt, intoRangeOf: "heart-rate")    // its manager's delegate gets didDiscover
/// ```
extension TestApplication {
  /// The centrals of the application, in the order in which it added them.
  public var bluetoothCentrals: [BluetoothCentral] { board.update { $0.centrals } }

  /// Connects a device of a central, and returns the application's result.
  ///
  /// Launches the application if it does not run, as `usher-triggers` does.
  ///
  /// - Throws: `RequestFailure.failed` if the central does not monitor the device.
  @discardableResult
  public func connectDevice(
    _ device: BluetoothDevice, of identifier: String
  ) async throws(RequestFailure) -> SceneResult {
    try await change(.connected, device, of: identifier) { $0.devices.contains(device.address) }
  }

  /// Disconnects a device of a central, and returns the application's result.
  ///
  /// - Throws: As for `connectDevice(_:of:)`.
  @discardableResult
  public func disconnectDevice(
    _ device: BluetoothDevice, of identifier: String
  ) async throws(RequestFailure) -> SceneResult {
    try await change(.disconnected, device, of: identifier) { $0.devices.contains(device.address) }
  }

  /// Moves a device with a service of a central into range, and returns the application's result.
  ///
  /// - Throws: `RequestFailure.failed` if the central does not monitor a service of the device.
  @discardableResult
  public func bringDevice(
    _ device: BluetoothDevice, intoRangeOf identifier: String
  ) async throws(RequestFailure) -> SceneResult {
    try await change(.discovered, device, of: identifier) { !$0.services.isDisjoint(with: device.services) }
  }

  private func change(
    _ kind: BluetoothEvent.Kind, _ device: BluetoothDevice, of identifier: String,
    if isMonitored: (BluetoothCentral) -> Bool
  ) async throws(RequestFailure) -> SceneResult {
    guard let central = bluetoothCentrals.first(where: { $0.identifier == identifier }), isMonitored(central)
    else { throw .failed("the application does not monitor this device with “\(identifier)”") }
    var changed = device
    changed.isConnected = kind == .connected || kind == .discovered && device.isConnected
    let event = BluetoothEvent(kind, changed, for: central)
    return try await deliver(.reason(.bluetoothCentrals, event.payload(date: WallTime(milliseconds: 0))))
  }
}

extension NotificationBoard {
  func requestBluetoothAuthorization() async throws(SceneError) -> Bool {
    let allows = dependencies.allowsBluetooth
    update { $0.isBluetoothAuthorized = allows }
    return allows
  }

  func bluetoothAuthorization() async throws(SceneError) -> BluetoothAuthorizationStatus {
    update { $0.isBluetoothAuthorized }.map { $0 ? .allowedAlways : .denied } ?? .notDetermined
  }

  func central(_ identifier: String) async throws(SceneError) -> BluetoothCentral? {
    update { $0.centrals.first { $0.identifier == identifier } }
  }

  func add(_ central: BluetoothCentral) async throws(SceneError) {
    // The central passes the checks of `usher-triggers`, so that a test notices a value that is not allowed.
    let checked: BluetoothCentral
    do throws(MessageError) { checked = try BluetoothCentral(central.entries) } catch {
      throw .bluetoothFailed(BusError(error))
    }
    let refusal: BusError? = update { state in
      guard state.isBluetoothAuthorized == true else {
        return BusError(.denied, "the user does not allow this application to use Bluetooth devices")
      }
      if let known = state.centrals.firstIndex(where: { $0.identifier == checked.identifier }) {
        state.centrals[known] = checked
        return nil
      }
      guard state.centrals.count < BluetoothLimits.centralsOfApplication else {
        return BusError(
          .tooMany, "the application has \(BluetoothLimits.centralsOfApplication) centrals")
      }
      state.centrals.append(checked)
      return nil
    }
    if let refusal { throw .bluetoothFailed(refusal) }
  }

  func removeCentral(_ identifier: String) async throws(SceneError) {
    update { state in state.centrals.removeAll { $0.identifier == identifier } }
  }
}
