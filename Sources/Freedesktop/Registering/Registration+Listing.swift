/// A scheme, and who opens it.
public struct SchemeHandler: Hashable, Sendable {
  /// The scheme.
  public let scheme: URLScheme
  /// The application that opens it in the end; `nil` when nothing usable is left.
  public let application: ApplicationID?
  /// Whether the desktop hands such URLs to Usher.
  public let isThroughUsher: Bool
  /// How the application was found, Usher left out.
  public let resolution: Resolution
}

extension Registration {
  /// The schemes that any list of this desktop names, each with who opens it, in the order of their text.
  public func handlers() -> [SchemeHandler] {
    let resolver = resolver(files)
    return resolver.schemes.map { scheme in
      let resolution = resolver.resolve(scheme, excluding: [handler])
      return SchemeHandler(
        scheme: scheme, application: resolution.application?.id,
        isThroughUsher: resolver.resolve(scheme).application?.id == handler, resolution: resolution)
    }
  }
}
