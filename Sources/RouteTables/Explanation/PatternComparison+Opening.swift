/// The comparison of everything before the path.
extension PatternComparison {
  mutating func compareOpening() {
    guard let scheme = form.scheme else { return compareAnyOpening() }
    guard let own = reading.scheme, let range = reading.parts.scheme?.range else {
      return miss(.scheme, nil, .known(.literal(scheme)))
    }
    if own != scheme { miss(.scheme, range, .known(.literal(scheme))) }
    let isFitting = form.opening.fits(reading)
    switch form.opening {
    case .host: isFitting ? compareAuthority() : missOpening(.host)
    case .rootedPath: if !isFitting { missOpening(.rootedPath) }
    case .rootlessPath: if !isFitting { missOpening(.rootlessPath) }
    case .joinedPath: break
    }
  }

  /// Compares a pattern that matches under any scheme: one that begins with `/`, also under any user, host and port, or one that
  /// begins with `*:`.
  private mutating func compareAnyOpening() {
    if reading.parts.isRooted != (form.opening == .rootedPath) {
      missOpening(form.opening == .rootedPath ? .rootedPath : .rootlessPath)
    }
  }

  private mutating func missOpening(_ expected: ExpectedComponent) {
    // The number of other mismatches is unknown; count two, for the slashes and at least one shifted component.
    miss(.opening, reading.slashes, .known(expected), count: 2)
  }

  private mutating func compareAuthority() {
    compareUser()
    compareLabels()
    guard case .number(let port) = form.port, port != reading.parts.authority?.port else { return }
    // The port follows the host and its colon.
    let start = (reading.host?.upperBound ?? 0) + 1
    let end = reading.parts.authority?.port == nil ? start : endOfDigits(from: start)
    miss(.port, start < end ? start..<end : nil, .known(.port(port)))
  }

  private func endOfDigits(from start: Int) -> Int {
    let bytes = reading.url.utf8.span
    var end = start
    while end < bytes.count, bytes[end].isASCIIDigit { end += 1 }
    return end
  }

  private mutating func compareUser() {
    switch (form.user, reading.user) {
    case (nil, nil): break
    case (nil, let user?): miss(.user, user.range, .known(.nothing))
    case (let part?, nil): miss(.user, nil, .part(.user), part: part)
    case (let part?, let user?): compare(part, user, .user, .user)
    }
  }

  private mutating func compareLabels() {
    let labels = reading.labels
    if let number = form.hostCapture, let host = reading.host { hold([number], host) }
    let least = form.labels.count + (form.hostRest?.mayBeEmpty == false ? 1 : 0)
    // Labels are compared from right to left, as hosts are matched.
    for (place, part) in form.labels.reversed().enumerated() where place < labels.count {
      let number = labels.count - 1 - place
      compare(part, labels[number], .label(number + 1), .host)
    }
    if labels.count < least {
      let part = form.labels.prefix(max(0, least - labels.count)).last
      return miss(.host, reading.host, .end(missing: part ?? PatternPart()), count: least - labels.count)
    }
    let others = labels.dropLast(form.labels.count)
    guard let rest = form.hostRest else {
      guard let first = others.first, let last = others.last else { return }
      let range = first.range.lowerBound..<last.range.upperBound
      return miss(.host, range, .end(missing: nil), count: others.count)
    }
    // `*` matches any host; a catch-all requires labels that are not empty.
    guard !rest.mayBeEmpty else { return }
    for (index, label) in others.enumerated() {
      if let number = rest.capture {
        compare(PatternPart(pieces: [.capture(number)]), label, .label(index + 1), .host)
      } else if label.text.isEmpty {
        miss(.label(index + 1), label.range, .known(.present))
      }
    }
  }
}
