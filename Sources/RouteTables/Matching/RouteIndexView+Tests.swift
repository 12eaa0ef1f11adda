// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

extension RouteIndexView {
  /// Returns the number of a query key that a route names; 0 for other keys.
  @inline(__always)
  func key(_ range: Range<Int>, of url: URLBytes, form: Normalization) -> UInt32 {
    let (start, end) = (range.lowerBound, range.upperBound)
    if url.count >= 16, end &- start <= SegmentKey.longest {
      let key = SegmentKey.key(url.base, from: start, to: end, limit: url.count)
      if !ByteSearch(UInt8(ascii: "%"), UInt8(ascii: "+")).isIn(key) {
        let token = MatchToken(key: key, start: start, end: end, isWritten: true)
        return node(after: header.pointee.keys, token, of: url, form: form)
      }
    }
    let token = MatchToken(
      key: url.key(from: start, to: end, form: form), start: start, end: end, isWritten: false)
    return node(after: header.pointee.keys, token, of: url, form: form)
  }

  /// Returns whether the request fulfils all requirements of a variant beyond its path.
  @inline(never)
  func holds(_ number: UInt32, _ walk: inout MatchState) -> Bool {
    let shape = shapes + Int(number)
    var test = tests + Int(shape.pointee.tests)
    let end = test + Int(shape.pointee.testCount)
    while test < end {
      guard passes(test, shape: shape, &walk) else { return false }
      test += 1
    }
    if shape.pointee.hasFragment {
      guard let fragment = walk.query.fragment,
        passes(test, value: fragment..<walk.url.count, of: walk.url, form: .path)
      else { return false }
      test += 1
    }
    guard !shape.pointee.excludesSchemes || takesScheme(number, walk.url) else { return false }
    return shape.pointee.conditionCount == 0
      || holdConditions(test, count: Int(shape.pointee.conditionCount), walk)
  }

  /// Returns whether a variant does not exclude the scheme of the URL; a bare path has none.
  @inline(never)
  private func takesScheme(_ number: UInt32, _ url: URLBytes) -> Bool {
    guard url.base[0] != UInt8(ascii: "/") else { return true }
    let bytes = UnsafeBufferPointer(start: url.base, count: url.count)
    let scheme = String(decoding: bytes.prefix { $0 != UInt8(ascii: ":") }.map(\.foldedASCII), as: UTF8.self)
    return !index.excludedSchemes(of: Int(number)).contains(scheme)
  }

  @inline(never)
  private func holdConditions(_ first: UnsafePointer<MatchTest>, count: Int, _ walk: MatchState) -> Bool {
    for test in UnsafeBufferPointer(start: first, count: count) {
      let text = walk.context.pointee[index.conditions[Int(test.key)]] ?? ""
      guard index.conditionLanguages[Int(test.value)]?.contains(text) == true else { return false }
    }
    return true
  }

  @inline(__always)
  private func passes(
    _ test: UnsafePointer<MatchTest>, shape: UnsafePointer<MatchVariant>, _ walk: inout MatchState
  ) -> Bool {
    if test.pointee.kind == .each || shape.pointee.hasLiteralPlus {
      return passesItems(test, shape: shape, walk)
    }
    guard let value = walk.query.first(test.pointee.key, of: walk.url, index: self) else {
      return test.pointee.kind == .absent
    }
    return passes(test, value: value, of: walk.url, form: walk.query.form)
  }

  /// Returns whether a test passes that has to read each item of the query.
  @inline(never)
  private func passesItems(
    _ test: UnsafePointer<MatchTest>, shape: UnsafePointer<MatchVariant>, _ walk: MatchState
  ) -> Bool {
    let form = shape.pointee.hasLiteralPlus ? Normalization.path : walk.query.form
    var cursor = walk.query.cursor()
    var isThere = false
    while let item = cursor.next(walk.url) {
      guard key(item.key, of: walk.url, form: form) == test.pointee.key else { continue }
      guard test.pointee.kind == .each else {
        return passes(test, value: item.value, of: walk.url, form: form)
      }
      isThere = true
      let (start, end) = (item.value.lowerBound, item.value.upperBound)
      guard takes(from: start, to: end, of: walk.url, form: form, language: test.pointee.value) else {
        return false
      }
    }
    return isThere || test.pointee.kind == .absent
  }

  @inline(__always)
  private func passes(
    _ test: UnsafePointer<MatchTest>, value: Range<Int>, of url: URLBytes, form: Normalization
  )
    -> Bool
  {
    let (start, end) = (value.lowerBound, value.upperBound)
    switch test.pointee.kind {
    case .absent, .each, .condition: return false
    case .present: return true
    case .first:
      return test.pointee.value == 0
        || takes(from: start, to: end, of: url, form: form, language: test.pointee.value)
    case .shortText:
      // Compare the bytes as written: a value that needs no decoding has another key if it is another text.
      if url.count >= 16, end &- start <= SegmentKey.longest {
        let key = SegmentKey.key(url.base, from: start, to: end, limit: url.count)
        if key == test.pointee.text { return true }
        if !ByteSearch(UInt8(ascii: "%"), UInt8(ascii: "+")).isIn(key) { return false }
      }
      return isText(test, value: value, of: url, form: form)
    case .text: return isText(test, value: value, of: url, form: form)
    }
  }

  @inline(never)
  private func isText(
    _ test: UnsafePointer<MatchTest>, value: Range<Int>, of url: URLBytes, form: Normalization
  )
    -> Bool
  {
    let text = pool + Int(test.pointee.value)
    return url.equals(
      from: value.lowerBound, to: value.upperBound, form: form, text: text, length: Int(test.pointee.length))
  }
}
