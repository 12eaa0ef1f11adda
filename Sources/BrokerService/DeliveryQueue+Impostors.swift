import BrokerCore
import DBus

extension DeliveryQueue {
  /// Why the owner of the application's name is certainly somebody else; `nil` where it is not, or nobody can say.
  ///
  /// Each connection is looked at once, before anything is handed to it.
  func impostor(_ owner: BusName) async -> String? {
    if let lookedAt, lookedAt.owner == owner { return lookedAt.diagnostic }
    var diagnostic: String?
    var process: PinnedProcess?
    do throws(BusError) {
      // It may have gone; whoever comes next is looked at again.
      guard let look = try await dependencies.identification.look(at: owner) else { return nil }
      process = look.process
      let source = SourceApplication.identify(
        look.facts, claim: nil, isInstalled: { _ in true }, owners: { _ in [] })
      if application.isImpostor(source) { diagnostic = "\(source)" }
    } catch {
      // Of one that has gone it may not be known whose it was.
      guard await currentOwner() == owner else { return nil }
      diagnostic = "another user"
    }
    diagnostic = diagnostic.map { "the name \(id) is taken by \($0); nothing was handed to it" }
    lookedAt = (owner, diagnostic, process)
    return diagnostic
  }
}
