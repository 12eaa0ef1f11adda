// SPDX-License-Identifier: Apache-2.0
import DBus

/// The connection's functions for code that is on its thread already: no turn of the event loop passes.
///
/// The connection is an actor of its own on the broker's event loop.
extension BusConnection {
  /// A Boolean value that indicates whether no message waits to be read.
  nonisolated var hasNoUnreadInputNow: Bool { assumeIsolated { $0.hasNoUnreadInput } }

  /// Sends a signal to one connection; the signal has no effect if that connection is closed.
  nonisolated func emitNow<each Value: BusConvertible>(
    _ signal: BusSignal<Arguments<repeat each Value>>, from path: ObjectPath, to destination: BusName,
    _ values: repeat each Value
  ) {
    assumeIsolated { try? $0.emit(signal, from: path, to: destination, repeat each values) }
  }

  /// Calls a method without a timeout; `then` receives the reply in the order of all messages.
  nonisolated func callNow<Input: BusConvertible, Output: BusConvertible>(
    _ method: BusMethod<Arguments<Input>, Arguments<Output>>, at addressee: RemoteObject, _ input: Input,
    then: @escaping @BrokerActor (Result<Output, BusError>) -> Void
  ) {
    assumeIsolated {
      $0.call(method, at: addressee, input, timeout: nil, autoStart: false) { reply in
        BrokerActor.onLoop { then(reply) }
      }
    }
  }

  /// Calls a method that returns nothing; `then` is called in the order of all messages when it has returned or failed.
  nonisolated func callNow<Input: BusConvertible>(
    _ method: BusMethod<Arguments<Input>, Arguments<>>, at addressee: RemoteObject, _ input: Input,
    timeout: Duration, then: @escaping @BrokerActor () -> Void
  ) {
    assumeIsolated {
      $0.call(method, at: addressee, input, timeout: timeout, autoStart: false) { _ in
        BrokerActor.onLoop { then() }
      }
    }
  }
}
