import BrokerCore
import DBus

extension DeliveryQueue {
  /// Returns the reason why the owner of the application's name is certainly another program; `nil` if it is not certain.
  ///
  /// Each connection is checked once, before anything is sent to it.
  func impostor(_ owner: BusName) async -> String? {
    if let lookedAt, lookedAt.owner == owner { return lookedAt.diagnostic }
    var diagnostic: String?
    var process: PinnedProcess?
    do throws(BusError) {
      // The connection may be closed; the next owner is checked again.
      guard let look = try await dependencies.identification.look(at: owner) else { return nil }
      process = look.process
      let source = SourceApplication.identify(
        look.facts, claim: nil, isInstalled: { _ in true }, owners: { _ in [] })
      if application.isImpostor(source) { diagnostic = "\(source)" }
    } catch {
      // The user of a closed connection may be unknown.
      guard await currentOwner() == owner else { return nil }
      diagnostic = "another user"
    }
    diagnostic = diagnostic.map { "the bus name \(id) is owned by \($0); nothing was delivered to it" }
    lookedAt = (owner, diagnostic, process)
    return diagnostic
  }
}
