import BusInterfaces

/// Whose name UIKit's `sourceApplication` tells, which has no assurance beside it.
///
/// ``SceneRequest/sourceApplication`` tells every name.
public enum SourceApplicationPolicy: Hashable, Sendable {
  /// Applications of the same vendor alone, surely known, as UIKit since iOS 13: those whose IDs differ in the last part.
  case sameVendor
  /// Who is surely known: by the sandbox, the systemd unit or the executable.
  case verified
  /// Every name, also one that its caller merely claims.
  case all

  func name(of request: SceneRequest) -> String? {
    guard let source = request.sourceApplication else { return nil }
    switch self {
    case .all: return source
    case .verified: return request.isVerified ? source : nil
    case .sameVendor: return request.isVerified && request.isOfItsTargetsVendor ? source : nil
    }
  }
}

extension SceneRequest {
  fileprivate var isVerified: Bool { assurance != .unknown && assurance != .claimed }

  fileprivate var isOfItsTargetsVendor: Bool {
    guard let source = sourceApplication, let target = envelope.application else { return false }
    let vendor = target.split(separator: ".").dropLast()
    return vendor.count >= 2 && source.split(separator: ".").dropLast() == vendor
  }
}
