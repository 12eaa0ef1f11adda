// SPDX-License-Identifier: Apache-2.0
import RouteTables

extension OverlapJoin {
  typealias Mark = (mark: UInt32, node: RouteTrie.Number)

  /// Joins two marks, which are openings or ports.
  mutating func join(_ lhs: Mark, _ rhs: Mark, stage: Stage) {
    switch stage {
    case .opening:
      let joined = EdgeMark.opening(.joinedPath)
      guard lhs.mark == joined || rhs.mark == joined else {
        if lhs.mark == rhs.mark { push(lhs.node, rhs.node, stage: stage.after(lhs.mark)) }
        return
      }
      guard [lhs.mark, rhs.mark].contains(EdgeMark.opening(.host)) else {
        return push(lhs.node, rhs.node, stage: .path)
      }
      // A joined path reads the host of the other pattern as a segment, so no nodes correspond: pair all variants.
      pair(tree.shapes(under: lhs.node), tree.shapes(under: rhs.node))
    case .port:
      let (port, others) = (lhs.mark & ~EdgeMark.user, rhs.mark & ~EdgeMark.user)
      guard lhs.mark & EdgeMark.user == rhs.mark & EdgeMark.user,
        port == others || port == EdgeMark.anyPort || others == EdgeMark.anyPort
      else { return }
      push(lhs.node, rhs.node, stage: stage.after(lhs.mark))
    case .scheme, .host, .path, .tail: break
    }
  }

  /// Joins the paths that match under any scheme with the paths under each scheme and host.
  mutating func joinAnyScheme(_ root: RouteTrie.Node) {
    guard let any = root.after(mark: EdgeMark.anyScheme) else { return }
    let rooted = EdgeMark.opening(.rootedPath)
    for (opening, path) in tree.nodes[any].marks {
      for scheme in root.afterTexts {
        for (mark, node) in tree.nodes[scheme].marks {
          switch mark {
          case opening, EdgeMark.opening(.joinedPath): push(path, node, stage: .path)
          case EdgeMark.opening(.host) where opening == rooted:
            for other in paths(under: node) { push(path, other, stage: .path) }
          default: break
          }
        }
      }
    }
  }

  /// Returns the nodes at which paths begin, after hosts and users.
  private func paths(under host: RouteTrie.Number) -> [RouteTrie.Number] {
    var found: [RouteTrie.Number] = []
    var stack = [host]
    while let next = stack.popLast() {
      let node = tree.nodes[next]
      if let end = node.end {
        for (mark, next) in tree.nodes[end].marks {
          let hasUser = mark & EdgeMark.user != 0
          found += hasUser ? tree.nodes[next].afterTexts + tree.nodes[next].branches.map(\.node) : [next]
        }
      }
      stack += node.afterTexts + node.branches.map(\.node)
    }
    return found
  }
}

extension OverlapJoin.Stage {
  /// The stage after one text.
  var next: OverlapJoin.Stage {
    switch self {
    case .scheme: .opening
    // A text at this stage is the user.
    case .port: .path
    case .opening, .host, .path, .tail: self
    }
  }

  /// Returns the stage after a mark.
  func after(_ mark: UInt32) -> OverlapJoin.Stage {
    switch self {
    case .scheme: .opening
    case .opening: mark == EdgeMark.opening(.host) ? .host : .path
    case .port: mark & EdgeMark.user == 0 ? .path : .port(hasUser: true)
    case .host, .path, .tail: self
    }
  }
}
