import BusInterfaces
import DBus

/// What a second instance does.
extension BusRegistration {
  /// Takes the application's name, or hands `start` to the instance that has it.
  ///
  /// Returns whether the name is ours. Where it is not, everything is done and the connection closed.
  func takeName(orForward start: LaunchContext, to path: ObjectPath) async throws(SceneError) -> Bool {
    while true {
      do throws(BusError) {
        if try await connection.requestName(name) == .owned { return true }
      } catch {
        await connection.close()
        throw .bus(error)
      }
      do throws(BusError) {
        try await forward(start, to: RemoteObject(name, path))
      } catch  where error.name == .serviceUnknown || error.name == .nameHasNoOwner {
        // The other instance ended in between: the name may be ours now.
        continue
      } catch {
        await connection.close()
        throw .notForwarded(error)
      }
      await connection.close()
      return false
    }
  }

  private func forward(_ start: LaunchContext, to instance: RemoteObject) async throws(BusError) {
    guard !start.urls.isEmpty else {
      // Whoever started us knows the other instance by its name, and hands it the request himself.
      guard !start.isAwaited else { return }
      return try await connection.call(
        ApplicationInterface.activate, at: instance, start.platformData, autoStart: false)
    }
    do throws(BusError) {
      var options = OpenOptions()
      options.target = name.rawValue
      options.activationToken = start.activationToken
      _ = try await connection.call(
        BrokerInterface.open, at: BrokerInterface.broker, start.urls, options.entries)
    } catch  where error.provesThatNothingArrived {
      try await connection.call(
        ApplicationInterface.open, at: instance, start.urls, start.platformData, autoStart: false)
    }
  }
}

extension LaunchContext {
  /// The token under both of the standard's names.
  fileprivate var platformData: [String: Variant] {
    guard let activationToken else { return [:] }
    return ["activation-token": .string(activationToken), "desktop-startup-id": .string(activationToken)]
  }
}

extension BusError {
  /// Whether there is no broker that could have got the call.
  fileprivate var provesThatNothingArrived: Bool {
    switch name {
    case .serviceUnknown, .nameHasNoOwner, .unknownMethod, .unknownInterface, .unknownObject: true
    default: name.rawValue.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
    }
  }
}
