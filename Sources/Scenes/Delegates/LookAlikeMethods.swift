// SPDX-License-Identifier: Apache-2.0
/// Methods of a delegate that resemble protocol requirements but are not called, because their signatures differ.
///
/// Name and first parameter agree with a requirement, but a type or label differs; examples are `scene(_:openURL:)` and a
/// parameter with another array type. The compiler accepts them as methods of the class. They are found in debug builds,
/// in the symbol table of the program.
struct LookAlikeMethods {
  /// The signatures, such as `scene(_: Scenes.Scene, openURL: URL)`.
  let signatures: [String]

  /// Finds the methods of a delegate's type.
  init(of type: Any.Type) {
    guard let mangled = _mangledTypeName(type), let symbols = SymbolNames() else {
      signatures = []
      return
    }
    let names = symbols.names(beginningWith: "$s" + mangled)
    let requirements = Set(
      names.filter { $0.hasSuffix("TW") }.compactMap { demangled($0).flatMap(Self.signature) })
    let methods = names.filter { $0.hasSuffix("F") }.compactMap { demangled($0).flatMap(Self.signature) }
    // Without witnesses, a superclass conforms, and `InheritedConformance` reports it.
    signatures =
      requirements.isEmpty
      ? []
      : Set(methods).subtracting(requirements).filter(Self.isLikeRequirement)
        .map { $0.replacing("Swift.", with: "").replacing("FoundationEssentials.", with: "") }.sorted()
  }

  /// Returns the name and the parameters of a demangled function, without its context and its result.
  private static func signature(_ declaration: String) -> String? {
    guard let open = declaration.firstIndex(of: "(") else { return nil }
    let name = declaration[..<open].split(separator: ".").last.map(String.init) ?? ""
    var (parameters, depth) = ("", 0)
    for character in declaration[open...] {
      parameters.append(character)
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      // A method with a handler that need not be sendable implements the requirement.
      if depth == 0 { return name + parameters.replacing("@Sendable ", with: "") }
    }
    return nil
  }

  private static func isLikeRequirement(_ signature: String) -> Bool {
    let names = ["application", "scene", "windowScene", "userNotificationCenter"]
    let subjects = [
      "Scenes.Application", "Scenes.Scene", "UIKitCompatibility.UIApplication", "UIKitCompatibility.UIScene",
      "UIKitCompatibility.UIWindowScene", "UIKitCompatibility.UNUserNotificationCenter",
    ]
    return subjects.contains { subject in
      names.contains { signature.hasPrefix("\($0)(_: \(subject),") }
        || signature.hasSuffix("(\(subject))")
          && ["applicationDid", "applicationWill", "sceneDid", "sceneWill"].contains(
            where: signature.hasPrefix)
    }
  }

  /// The warnings for the developer, one for each method.
  func warnings(_ type: Any.Type) -> [String] {
    signatures.map {
      "\(type).\($0) resembles a delegate method, but its signature differs, so it is never called"
    }
  }
}
