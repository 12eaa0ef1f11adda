// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
public import Scenes
public import Triggers

/// Bluetooth peripherals of an application under test.
///
/// ```swift
/// try await app.launch()                                        // the application calls add(_:)
/// try await app.writeValue([7], to: brightness, of: "lamp")      // its manager's delegate gets didReceiveWrite
/// #expect(try await app.readValue(of: brightness, of: "lamp") == [7])
/// ```
extension TestApplication {
  /// The peripherals of the application, in the order in which it added them.
  public var bluetoothPeripherals: [BluetoothPeripheral] { board.update { $0.peripherals } }

  /// The values that were sent to devices that have subscribed, in order.
  public var sentBluetoothValues: [BluetoothValueUpdate] { board.update { $0.sentValues } }

  /// Reads a value as a device does, and returns it: the stored one, or the application's answer.
  ///
  /// - Throws: `RequestFailure.failed` if the peripheral does not allow it, or if the application does not answer.
  public func readValue(
    of characteristic: BluetoothCharacteristicID, of identifier: String
  ) async throws(RequestFailure) -> [UInt8] {
    let (peripheral, known) = try peripheral(identifier, characteristic)
    do throws(BluetoothAttributeError) { try known.checkRead() } catch {
      throw .failed("the device gets the error \(error)")
    }
    if let value = known.value { return value }
    let result = try await deliver(BluetoothPeripheralEvent(.read, of: characteristic, for: peripheral))
    guard let value = result.value?["value"]?.data else {
      throw .failed("the application has returned no value")
    }
    return value
  }

  /// Writes a value as a device does, and returns the application's result.
  ///
  /// Launches the application if it does not run, as `usher-triggers` does.
  ///
  /// - Throws: `RequestFailure.failed` if the peripheral does not allow it.
  @discardableResult
  public func writeValue(
    _ value: [UInt8], to characteristic: BluetoothCharacteristicID, of identifier: String
  ) async throws(RequestFailure) -> SceneResult {
    let (peripheral, known) = try peripheral(identifier, characteristic)
    do throws(BluetoothAttributeError) { try known.checkWrite(value, at: 0) } catch {
      throw .failed("the device gets the error \(error)")
    }
    return try await deliver(
      BluetoothPeripheralEvent(.write(value, offset: 0), of: characteristic, for: peripheral))
  }

  /// Subscribes to a value as a device does, or ends the subscription, and returns the application's result.
  ///
  /// - Throws: `RequestFailure.failed` if the peripheral does not allow it.
  @discardableResult
  public func setSubscribed(
    _ isSubscribed: Bool, to characteristic: BluetoothCharacteristicID, of identifier: String
  ) async throws(RequestFailure) -> SceneResult {
    let (peripheral, known) = try peripheral(identifier, characteristic)
    guard known.canNotify else { throw .failed("the characteristic has neither notify nor indicate") }
    board.update { state in
      let key = "\(identifier)/\(characteristic.text)"
      if isSubscribed { state.subscriptions.insert(key) } else { state.subscriptions.remove(key) }
    }
    return try await deliver(
      BluetoothPeripheralEvent(
        isSubscribed ? .subscribed : .unsubscribed, of: characteristic, for: peripheral))
  }

  private func peripheral(
    _ identifier: String, _ characteristic: BluetoothCharacteristicID
  ) throws(RequestFailure) -> (BluetoothPeripheral, BluetoothCharacteristic) {
    guard let peripheral = bluetoothPeripherals.first(where: { $0.identifier == identifier }),
      let known = peripheral[characteristic]
    else { throw .failed("the application does not publish this characteristic with “\(identifier)”") }
    return (peripheral, known)
  }

  private func deliver(_ event: BluetoothPeripheralEvent) async throws(RequestFailure) -> SceneResult {
    try await deliver(.reason(.bluetoothPeripherals, event.payload(date: WallTime(milliseconds: 0))))
  }
}

extension NotificationBoard {
  func peripheral(_ identifier: String) async throws(SceneError) -> BluetoothPeripheral? {
    update { $0.peripherals.first { $0.identifier == identifier } }
  }

  func add(_ peripheral: BluetoothPeripheral) async throws(SceneError) {
    // The peripheral passes the checks of `usher-triggers`, so that a test notices a value that is not allowed.
    let checked: BluetoothPeripheral
    do throws(MessageError) { checked = try BluetoothPeripheral(peripheral.entries) } catch {
      throw .bluetoothFailed(BusError(error))
    }
    let refusal: BusError? = update { state in
      guard state.isBluetoothAuthorized == true else {
        return BusError(.denied, "the user does not allow this application to use Bluetooth devices")
      }
      if let known = state.peripherals.firstIndex(where: { $0.identifier == checked.identifier }) {
        state.peripherals[known] = checked
        return nil
      }
      guard state.peripherals.count < BluetoothLimits.peripheralsOfApplication else {
        return BusError(
          .tooMany, "the application has \(BluetoothLimits.peripheralsOfApplication) peripherals")
      }
      state.peripherals.append(checked)
      return nil
    }
    if let refusal { throw .bluetoothFailed(refusal) }
  }

  func update(_ update: BluetoothValueUpdate) async throws(SceneError) {
    let failure: BusError? = self.update { state in
      guard let index = state.peripherals.firstIndex(where: { $0.identifier == update.identifier }) else {
        return BusError(.invalidRequest, "the application has no peripheral “\(update.identifier)”")
      }
      do throws(MessageError) {
        let checked = try BluetoothValueUpdate(update.entries)
        let (changed, id) = try state.peripherals[index].updated(by: checked)
        state.peripherals[index] = changed
        if state.subscriptions.contains("\(update.identifier)/\(id.text)") {
          state.sentValues.append(checked)
        }
        return nil
      } catch { return BusError(error) }
    }
    if let failure { throw .bluetoothFailed(failure) }
  }

  func removePeripheral(_ identifier: String) async throws(SceneError) {
    update { state in state.peripherals.removeAll { $0.identifier == identifier } }
  }
}
