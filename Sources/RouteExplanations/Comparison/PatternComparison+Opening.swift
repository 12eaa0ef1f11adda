// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The comparison of everything before the path.
extension PatternComparison {
  mutating func compareOpening() {
    guard let scheme = form.scheme else { return compareAnyOpening() }
    guard let own = reading.scheme, let range = reading.parts.scheme?.range else {
      return addMismatch(at: .scheme, range: nil, expected: .known(.literal(scheme)))
    }
    if own != scheme { addMismatch(at: .scheme, range: range, expected: .known(.literal(scheme))) }
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
    if let own = reading.scheme, form.excludedSchemes.contains(own) {
      addMismatch(
        at: .scheme, range: reading.parts.scheme?.range, expected: .known(.otherThan(form.excludedSchemes)))
    }
    if reading.parts.isRooted != (form.opening == .rootedPath) {
      missOpening(form.opening == .rootedPath ? .rootedPath : .rootlessPath)
    }
  }

  private mutating func missOpening(_ expected: ExpectedComponent) {
    // The number of other mismatches is unknown; count two, for the slashes and at least one shifted component.
    addMismatch(at: .opening, range: reading.slashes, expected: .known(expected), count: 2)
  }

  private mutating func compareAuthority() {
    compareUser()
    compareLabels()
    guard case .number(let port) = form.port, port != reading.parts.authority?.port else { return }
    // The port follows the host and its colon.
    let start = (reading.host?.upperBound ?? 0) + 1
    let end = reading.parts.authority?.port == nil ? start : endOfDigits(from: start)
    addMismatch(at: .port, range: start < end ? start..<end : nil, expected: .known(.port(port)))
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
    case (nil, let user?): addMismatch(at: .user, range: user.range, expected: .known(.nothing))
    case (let part?, nil): addMismatch(at: .user, range: nil, expected: .part(.user), part: part)
    case (let part?, let user?): compare(part, with: user, at: .user, in: .user)
    }
  }

  private mutating func compareLabels() {
    let labels = reading.labels
    if let number = form.hostCapture, let host = reading.host { hold([number], host) }
    let least = form.labels.count + (form.hostRest?.mayBeEmpty == false ? 1 : 0)
    // Labels are compared from right to left, as hosts are matched.
    for (place, part) in form.labels.reversed().enumerated() where place < labels.count {
      let number = labels.count - 1 - place
      compare(part, with: labels[number], at: .label(number + 1), in: .host)
    }
    if labels.count < least {
      let part = form.labels.prefix(max(0, least - labels.count)).last
      return addMismatch(
        at: .host, range: reading.host, expected: .end(missing: part ?? PatternPart()),
        count: least - labels.count)
    }
    let others = labels.dropLast(form.labels.count)
    guard let rest = form.hostRest else {
      guard let first = others.first, let last = others.last else { return }
      let range = first.range.lowerBound..<last.range.upperBound
      return addMismatch(at: .host, range: range, expected: .end(missing: nil), count: others.count)
    }
    // `*` matches any host; a catch-all requires labels that are not empty.
    guard !rest.mayBeEmpty else { return }
    for (index, label) in others.enumerated() {
      if let number = rest.capture {
        compare(PatternPart(pieces: [.capture(number)]), with: label, at: .label(index + 1), in: .host)
      } else if label.text.isEmpty {
        addMismatch(at: .label(index + 1), range: label.range, expected: .known(.present))
      }
    }
  }
}
