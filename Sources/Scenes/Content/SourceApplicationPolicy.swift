// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// The policy for the names in UIKit's `sourceApplication`, which carries no assurance.
///
/// ``SceneRequest/sourceApplication`` contains every name, independent of the policy.
public enum SourceApplicationPolicy: Hashable, Sendable {
  /// Only verified applications of the same vendor, as UIKit since iOS 13: IDs that differ only in the last component.
  case sameVendor
  /// Only verified applications: identified by the sandbox, the systemd unit or the executable.
  case verified
  /// All applications, including names that the caller only claims.
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
