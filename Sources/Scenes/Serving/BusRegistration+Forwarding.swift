// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus

/// The behaviour of a second instance.
extension BusRegistration {
  /// Acquires the application's name, or forwards `start` to the instance that owns it.
  ///
  /// Returns `true` if this process owns the name; `start` then lacks the URLs that another instance has received before
  /// it exited. If it returns `false`, `start` is forwarded and the connection is closed. An error of another instance for a part of the
  /// URLs is printed, unless it is thrown.
  nonisolated(nonsending) func acquireName(orForward start: inout LaunchContext, to path: ObjectPath)
    async throws(SceneError) -> Bool
  {
    var failure: BusError?
    func printFailure() {
      if let failure { printError("\(name): \(SceneError.notForwarded(failure))") }
    }
    while true {
      do throws(BusError) {
        if try await connection.requestName(name) == .owned {
          printFailure()
          return true
        }
      } catch {
        printFailure()
        await connection.close()
        throw .bus(error)
      }
      let owner = try? await connection.owner(of: name)
      do throws(BusError) {
        try await forward(&start, to: RemoteObject(name, path), failure: &failure)
      } catch {
        if error.isOfExitedInstance {
          let current = try? await connection.owner(of: name)
          // The other instance exited meanwhile, so that the name may be available.
          if owner == nil || current != owner { continue }
        }
        printFailure()
        await connection.close()
        throw .notForwarded(error)
      }
      await connection.close()
      if let failure { throw .notForwarded(failure) }
      return false
    }
  }

  /// Sends `start` in as many calls as its URLs need, and removes those that were received.
  ///
  /// - Parameter failure: Receives the first error for URLs that were received.
  private nonisolated(nonsending) func forward(
    _ start: inout LaunchContext, to instance: RemoteObject, failure: inout BusError?
  ) async throws(BusError) {
    // The calls have no timeout, because the reply follows the handling.
    guard !start.urls.isEmpty else {
      // Also if the broker or the bus seems to have started this process: the variables that say so may be inherited, and
      // neither starts an application whose name has an owner.
      return try await connection.call(
        ApplicationInterface.activate, at: instance, start.platformData, timeout: nil, autoStart: false)
    }
    // Sent directly: to the broker, an application that opens a URL which it received a moment ago is a redirect loop.
    while !start.urls.isEmpty {
      let part = RequestSize.firstPart(of: start.urls)
      do throws(BusError) {
        try await connection.call(
          ApplicationInterface.open, at: instance, part, start.platformData, timeout: nil, autoStart: false)
      } catch  where !error.isOfExitedInstance {
        // The error of one part must not drop the others.
        failure = failure ?? error
      }
      start.urls.removeFirst(part.count)
      start.activationToken = nil
    }
  }
}

extension LaunchContext {
  /// The activation token under both keys of the specifications.
  fileprivate var platformData: [String: Variant] {
    guard let activationToken else { return [:] }
    return ["activation-token": .string(activationToken), "desktop-startup-id": .string(activationToken)]
  }
}

extension BusError {
  /// A Boolean value that is `true` if the instance has exited, or is exiting and has not accepted the call, as its reply says.
  fileprivate var isOfExitedInstance: Bool { busFailure == .serviceUnknown || name == .nameHasNoOwner }
}
