/// What the bus said to a request for a name.
public enum NameRequest: Hashable, Sendable {
  /// The name is ours now, or was already.
  case owned
  /// Somebody else has it.
  case taken
}

extension BusConnection {
  /// Asks for a well-known name, without waiting in its queue and without letting others take it.
  ///
  /// A name that was got is asked for again after the connection was restored.
  public func requestName(_ name: BusName) async throws(BusError) -> NameRequest {
    // 4: DBUS_NAME_FLAG_DO_NOT_QUEUE. Replies: 1 primary owner, 3 exists, 4 already owner.
    let result = try await call(BusDaemon.requestName, at: .bus, name.rawValue, 4)
    guard result == 1 || result == 4 else { return .taken }
    names.insert(name)
    return .owned
  }

  /// Gives a name back.
  public func releaseName(_ name: BusName) async throws(BusError) {
    names.remove(name)
    _ = try await call(BusDaemon.releaseName, at: .bus, name.rawValue)
  }

  /// The unique name of the connection that owns `name`, or `nil` when nobody does.
  public func owner(of name: BusName) async throws(BusError) -> BusName? {
    do throws(BusError) {
      return BusName(try await call(BusDaemon.getNameOwner, at: .bus, name.rawValue))
    } catch  where error.name == .nameHasNoOwner {
      return nil
    }
  }

  /// The owner of `name` now, then each time it changes; `nil` while nobody owns it.
  ///
  /// No change is missed between the first element and the second.
  public func owners(of name: BusName) async throws(BusError) -> AsyncStream<BusName?> {
    let (stream, continuation) = AsyncStream<BusName?>.makeStream()
    let early = EarlyOwners()
    let rule = MatchRule(
      sender: "org.freedesktop.DBus", interface: BusDaemon.interface,
      member: BusDaemon.nameOwnerChanged.name, argument0: name.rawValue)
    let number = try await subscribe(rule) { message in
      guard let (_, _, owner) = try? Arguments<String, String, String>.read(from: message) else { return }
      // The answer below may have come and still wait for its turn on the loop.
      if early.areKept { early.owners.append(BusName(owner)) } else { continuation.yield(BusName(owner)) }
    }
    do throws(BusError) {
      let answer = try await owner(of: name)
      continuation.yield(answer)
      for owner in early.handOut(after: answer) { continuation.yield(owner) }
    } catch {
      unsubscribe(number)
      throw error
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      Task { await self.unsubscribe(number) }
    }
    return stream
  }
}

// @unchecked: used on the connection's loop alone.
/// The owners that were announced before the answer to the first question was read.
private final class EarlyOwners: @unchecked Sendable {
  var areKept = true
  var owners: [BusName?] = []

  /// Those that came after `answer`: what came before it led to it.
  func handOut(after answer: BusName?) -> ArraySlice<BusName?> {
    areKept = false
    guard let index = owners.lastIndex(of: answer) else { return owners[...] }
    return owners[(index + 1)...]
  }
}
