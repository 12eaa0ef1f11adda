// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import RemoteProtocol

/// A request at the broker, and the clients that wait for it.
///
/// The broker gives the same outcome to each client that sends the same request with the same ID.
@BrokerActor
final class RelayedRequest {
  /// A client that waits, and what it has sent.
  struct Waiter {
    let client: RelayedClient
    let request: RemoteRequest
    /// The carrier of the answer if the request begins a sign-in; `nil` if the program receives it itself, because its container has the
    /// network of the desktop.
    let carrier: (any SignInCarrier)?
  }

  /// The sign-in that the request begins.
  private(set) var signIn = SignInProgress()
  private var waiters: [Waiter] = []
  /// The task that informs the clients while the user is asked about the sign-in.
  private var reminder: Task<Void, Never>?

  /// A Boolean value that indicates whether no client waits for the request.
  var isFinished: Bool { waiters.isEmpty }

  /// The first client by which the answer of a sign-in can reach the program; `nil` if all that could carry it have disconnected.
  var answerer: Waiter? { waiters.first { $0.carrier?.isConnected ?? true } }

  /// Adds a client that waits.
  func add(_ waiter: Waiter) {
    waiters.append(waiter)
    guard waiter.request.signIn != nil else { return }
    signIn.request()
    remind()
  }

  /// Records that the broker asks the user about a sign-in, which a fallback or a route may have made of the request.
  func admitSignIn() {
    signIn.admit()
    remind()
  }

  /// Records that the user has allowed the sign-in.
  func allowSignIn() { signIn.allow() }

  /// Returns what follows from the result that a client gets.
  func consequences(of result: OpenResult) -> [SignInProgress.Consequence] {
    signIn.consequences(of: result)
  }

  /// Removes a client that has the result.
  func remove(_ client: RelayedClient) {
    // A client waits once for each ID.
    waiters.removeAll { $0.client === client }
    if isFinished { reminder?.cancel() }
  }

  /// Sends a line about the progress to the clients.
  func report(_ text: String) {
    for waiter in waiters { waiter.client.report(text, of: waiter.request.id) }
  }

  /// Reports again and again that the user is asked.
  private func remind() {
    guard reminder == nil else { return }
    reminder = Reminder.start { [weak self] in self?.report("the desktop asks its user about this sign-in") }
  }
}
