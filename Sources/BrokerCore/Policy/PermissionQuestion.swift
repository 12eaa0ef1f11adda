// SPDX-License-Identifier: Apache-2.0
public import Freedesktop

/// A question whether an application has a permission.
///
/// Equal questions share one answer.
public struct PermissionQuestion: Hashable, Sendable, CustomStringConvertible {
  /// The permission.
  public let permission: Permission
  /// The application.
  public let application: ApplicationID

  /// Creates the question whether `application` has a permission.
  public init(_ permission: Permission, of application: ApplicationID) {
    self.permission = permission
    self.application = application
  }

  /// The scope for which the answer is stored.
  public var scope: GrantScope { GrantScope(permission, of: application) }

  /// The question in one sentence.
  public var description: String { "\(application) asks to \(permission.activity)" }

  /// The command that answers the question in advance.
  public var remedy: String { "usher grants allow \(scope.options)" }
}
