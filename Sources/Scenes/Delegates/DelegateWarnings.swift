// SPDX-License-Identifier: Apache-2.0
/// The warnings about a delegate, which are printed when it is first used.
enum DelegateWarnings {
  /// Prints what can be known about the methods of an application's delegate that are never called.
  static func print(_ delegate: any ApplicationDelegate, of applicationID: String) {
    print(InheritedConformance(of: delegate), about: type(of: delegate), of: applicationID)
  }

  /// Prints what can be known about the methods of a scene's delegate that are never called.
  static func print(_ delegate: any SceneDelegate, of applicationID: String) {
    print(InheritedConformance(of: delegate), about: type(of: delegate), of: applicationID)
  }

  private static func print(
    _ inherited: InheritedConformance?, about type: Any.Type, of applicationID: String
  ) {
    var warnings = inherited.map { ["\($0)"] } ?? []
    #if DEBUG
      warnings += LookAlikeMethods(of: type).warnings(type)
    #endif
    for warning in warnings { printError("\(applicationID): warning: \(warning)") }
  }
}
