// SPDX-License-Identifier: Apache-2.0
/// A conformance to a delegate protocol that a class inherits from its superclass.
///
/// Swift chooses the methods of a conformance in the class that declares it. A subclass can override them, but a method
/// that only the subclass has is never called, although it has the name and the types of a requirement.
struct InheritedConformance: CustomStringConvertible {
  private let subclass: String
  private let superclass: String
  private let delegateProtocol: String

  /// Finds the inherited conformance of an application's delegate; `nil` if its own class declares it.
  init?(of delegate: any ApplicationDelegate) {
    let mirror = Mirror(reflecting: delegate)
    guard let parent = mirror.superclassMirror?.subjectType, parent is any ApplicationDelegate.Type else {
      return nil
    }
    (subclass, superclass, delegateProtocol) = (
      "\(mirror.subjectType)", "\(parent)", "ApplicationDelegate"
    )
  }

  /// Finds the inherited conformance of a scene's delegate; `nil` if its own class declares it.
  init?(of delegate: any SceneDelegate) {
    let mirror = Mirror(reflecting: delegate)
    guard let parent = mirror.superclassMirror?.subjectType, parent is any SceneDelegate.Type else {
      return nil
    }
    (subclass, superclass, delegateProtocol) = ("\(mirror.subjectType)", "\(parent)", "SceneDelegate")
  }

  /// The warning for the developer.
  var description: String {
    """
    \(subclass) inherits \(delegateProtocol) from \(superclass), so that only its methods that override a method of \
    \(superclass) are called; implement the others in \(superclass), too
    """
  }
}
