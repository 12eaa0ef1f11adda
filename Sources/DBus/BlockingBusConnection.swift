import CSystemd
import Glibc

/// A connection for a program that has nothing else to do while it waits, as a command.
///
/// It belongs to the thread that made it. The calls are those of `BusConnection`, without a loop, a second
/// thread or a task.
public final class BlockingBusConnection {
  private let handle: BusHandle
  private var bus: OpaquePointer { handle.pointer }
  private var observers: [SignalObserver] = []

  /// Connects to the bus.
  ///
  /// - Throws: `BusError` named `Disconnected`, which says the address and why.
  public init(_ address: BusAddress = .user) throws(BusError) {
    handle = try BusHandle(try address.resolved())
  }

  deinit { handle.close(flush: true) }

  /// Calls a method and blocks until its reply is here.
  ///
  /// - Throws: the error the other side replied, `Timeout`, or `Disconnected`, with the call that was attempted.
  public func call<each Input: BusConvertible, each Output: BusConvertible>(
    _ method: BusMethod<Arguments<repeat each Input>, Arguments<repeat each Output>>,
    at addressee: BusAddressee, _ input: repeat each Input, timeout: Duration? = .seconds(25),
    autoStart: Bool = true
  ) throws(BusError) -> (repeat each Output) {
    do throws(BusError) {
      let message = try BusMessage.call(
        bus, method.interface, method.name, at: addressee, autoStart: autoStart)
      try Arguments<repeat each Input>.write(repeat each input, to: message)
      return try Arguments<repeat each Output>.read(from: try send(message, timeout: timeout).get())
    } catch {
      throw error.attempting(method.interface, method.name, at: addressee)
    }
  }

  /// The unique name of the connection that owns `name`, or `nil` when nobody does.
  public func owner(of name: BusName) throws(BusError) -> BusName? {
    do throws(BusError) {
      return BusName(try call(BusDaemon.getNameOwner, at: .bus, name.rawValue))
    } catch  where error.name == .nameHasNoOwner {
      return nil
    }
  }

  /// Hands what `signal` carries to `body`, each time one comes to this connection alone while a call waits.
  public func observe<each Value: BusConvertible>(
    _ signal: BusSignal<Arguments<repeat each Value>>, _ body: @escaping (repeat each Value) -> Void
  ) {
    let observer = SignalObserver(signal.interface, signal.name) { message in
      guard let values = try? Arguments<repeat each Value>.read(from: message) else { return }
      body(repeat each values)
    }
    observers.append(observer)
    sd_bus_add_filter(
      bus, nil,
      { message, data, _ in
        guard let message, let data else { return 0 }
        Unmanaged<SignalObserver>.fromOpaque(data).takeUnretainedValue().see(BusMessage(borrowing: message))
        return 0
      }, Unmanaged.passUnretained(observer).toOpaque())
  }

  private func send(_ message: BusMessage, timeout: Duration?) -> Result<BusMessage, BusError> {
    var outcome: Result<BusMessage, BusError>?
    let pending = PendingCall()
    pending.start(handle, message, timeout: timeout) { outcome = $0 }
    while true {
      if let outcome { return outcome }
      // Not sd_bus_call(): its errors come without what follows the message text.
      var result = sd_bus_process(bus, nil)
      // It says 0 also after it has handled a time-out, and nothing would end the wait then.
      if result == 0, outcome == nil { result = sd_bus_wait(bus, .max) }
      if result < 0, result != -EINTR {
        pending.cancel()
        if case .success(let reply)? = outcome { return .success(reply) }
        return .failure(
          BusError(.disconnected, "the connection broke: \(String(cString: strerror(-result)))"))
      }
    }
  }
}

/// Who sees the signals of one kind.
private final class SignalObserver {
  private let interface: InterfaceName
  private let member: MemberName
  private let body: (BusMessage) -> Void

  init(_ interface: InterfaceName, _ member: MemberName, _ body: @escaping (BusMessage) -> Void) {
    self.interface = interface
    self.member = member
    self.body = body
  }

  func see(_ message: BusMessage) {
    guard message.interface == interface, message.member == member else { return }
    body(message)
  }
}
