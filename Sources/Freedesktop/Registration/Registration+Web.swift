extension Registration {
  /// The browser of this desktop: what opens `http` and `https` links, Usher left out.
  ///
  /// - Throws: `FreedesktopError` where there is none, or a different one for each.
  public func webBrowser() throws(FreedesktopError) -> ApplicationID {
    let resolver = resolver(files)
    let browsers = URLScheme.web.map { resolver.resolve($0, excluding: [handler]).application?.id }
    let found = browsers.compactMap(\.self)
    guard let first = found.first, let last = found.last else { throw .noBrowser }
    guard first == last else { throw .severalBrowsers(first, last) }
    return first
  }
}
