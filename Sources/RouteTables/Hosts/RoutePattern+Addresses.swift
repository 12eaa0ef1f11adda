extension RoutePattern {
  /// The types of addresses, as a message names them.
  static let addressTypes = "`{ip:ipv4}`, `{ip:ipv6}`, `{ip:cidr(10.0.0.0/8)}` or `{host:local-network}`"

  /// The sentence about a host that looks as if it took addresses and takes none; `nil` where there is nothing to say.
  var doubtOfAddress: String? {
    guard let authority, authority.hostCapture(of: self) == nil else { return nil }
    if let doubt = doubtOfExpression(authority) { return doubt }
    guard authority.lead == .none, schemes.contains(where: ParsedURL.isSpecial),
      isLikeAddress(authority.labels)
    else { return nil }
    return "no address matches `\(text(of: authority))`: an address is one label; write \(Self.addressTypes)"
  }

  /// The sentence about a capture in the host that would take the texts of addresses if they were labels.
  private func doubtOfExpression(_ authority: Authority) -> String? {
    for number in authority.labels.flatMap(\.captures) {
      let capture = captures[number]
      guard capture.extent == .single, !RegularLanguage.anyText.isSubset(of: capture.type.language),
        let address = capture.type.language.commonText(with: .dottedAddress)
      else { continue }
      return
        "`{\(capture.name):\(capture.type)}` takes single labels, and no address such as `\(address)`: "
        + "for addresses write \(Self.addressTypes)"
    }
    return nil
  }

  /// Whether four labels are numbers and captures, with a number in front and a capture at the end.
  private func isLikeAddress(_ labels: [PatternPart]) -> Bool {
    guard labels.count == 4, labels[0].captures.isEmpty, labels[3].literal == nil else { return false }
    return labels.allSatisfy { part in
      part.pieces.allSatisfy { piece in
        switch piece {
        case .literal(let text): text.allSatisfy(\.isASCIIDigit)
        case .choice(let texts): texts.allSatisfy { $0.allSatisfy { $0.allSatisfy(\.isASCIIDigit) } }
        case .capture(let number):
          captures[number].type.language.commonText(with: RouteType.uint.language) != nil
        case .anything, .host: true
        }
      }
    }
  }
}

extension RegularLanguage {
  /// The IPv4 addresses in four decimal numbers.
  fileprivate static let dottedAddress = (try? AddressBlock.ipv4.language) ?? .none
}
