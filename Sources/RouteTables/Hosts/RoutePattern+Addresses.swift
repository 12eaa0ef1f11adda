// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

extension RoutePattern {
  /// The suggested captures for addresses in a warning.
  static let addressTypes = "`{ip:ipv4}`, `{ip:ipv6}`, `{ip:cidr(10.0.0.0/8)}` or `{host:local-network}`"

  /// A warning about a host that seems to match addresses but matches none; `nil` if there is no such problem.
  var doubtOfAddress: String? {
    guard let authority, authority.hostCapture(of: self) == nil else { return nil }
    if let doubt = doubtOfExpression(authority) { return doubt }
    guard authority.lead == .none, schemes.contains(where: ParsedURL.isSpecial),
      isLikeAddress(authority.labels)
    else { return nil }
    return "no address matches `\(text(of: authority))`: an address is one label; write \(Self.addressTypes)"
  }

  /// Returns a warning about a host capture whose type accepts the texts of addresses, although addresses are never matched.
  private func doubtOfExpression(_ authority: Authority) -> String? {
    for number in authority.labels.flatMap(\.captures) {
      let capture = captures[number]
      guard capture.extent == .single, !RegularLanguage.anyText.isSubset(of: capture.type.language),
        let address = capture.type.language.commonText(with: .dottedAddress)
      else { continue }
      return
        "`{\(capture.name):\(capture.type)}` matches single labels, but not addresses such as `\(address)`: "
        + "for addresses write \(Self.addressTypes)"
    }
    return nil
  }

  /// Returns whether four labels are numbers and captures, the first of them a number and the last a capture.
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
  /// The language of the IPv4 addresses in dotted decimal notation.
  fileprivate static let dottedAddress = (try? AddressBlock.ipv4.language) ?? .none
}
