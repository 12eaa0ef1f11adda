// SPDX-License-Identifier: Apache-2.0
extension IndexEncoder {
  /// The encoded index in one buffer: the header, each node followed by its table of texts, then the other arrays.
  ///
  /// Node numbers are replaced with offsets in the buffer, in units of 8 bytes.
  var memory: ContiguousArray<UInt64> {
    let edgeWords = MemoryLayout<MatchEdge>.stride / 8
    let nodeWords = MemoryLayout<MatchNode>.stride / 8
    var next = IndexHeader.words
    let numbers = places.map { places in
      defer { next += nodeWords + Int(places) * edgeWords }
      return UInt32(truncatingIfNeeded: next)
    }
    var header = IndexHeader()
    header.root = numbers[0]
    header.keys = numbers[keyNode]
    header.barePaths = paths(.rootedPath).map { numbers[$0] } ?? 0
    header.opaquePaths = paths(.rootlessPath).map { numbers[$0] } ?? 0
    header.keysHavePlus = keys.keys.contains { $0.contains(UInt8(ascii: "+")) }
    var memory = ContiguousArray<UInt64>(repeating: 0, count: next)
    write(numbers, to: &memory)
    func append<Element: BitwiseCopyable>(_ elements: [Element]) -> Int {
      let start = memory.count * 8
      elements.withUnsafeBytes { bytes in
        memory.append(contentsOf: repeatElement(0, count: (bytes.count + 7) / 8 + 1))
        memory.withUnsafeMutableBytes { memory in
          UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyMemory(from: bytes)
        }
      }
      return start
    }
    header.branches = append(
      branches.map { branch in
        var branch = branch
        branch.node = numbers[Int(branch.node)]
        return branch
      })
    header.ends = append(ends)
    header.shapes = append(shapes)
    header.tests = append(tests)
    header.languages = append(languages)
    header.automata = append(automata)
    header.runs = append(runs)
    header.pool = append(pool)
    header.captureSteps = append(captureSteps)
    memory.withUnsafeMutableBytes { $0.storeBytes(of: header, as: IndexHeader.self) }
    return memory
  }

  private func write(_ numbers: [UInt32], to memory: inout ContiguousArray<UInt64>) {
    memory.withUnsafeMutableBytes { bytes in
      for (number, place) in numbers.enumerated() {
        var node = nodes[number]
        let first = Int(node.texts)
        let count = Int(places[number])
        var offset = Int(place) * 8 + MemoryLayout<MatchNode>.stride
        node.texts = UInt32(truncatingIfNeeded: offset / 8)
        if node.special != 0, node.special != MatchNode.several { node.special = numbers[Int(node.special)] }
        bytes.storeBytes(of: node, toByteOffset: Int(place) * 8, as: MatchNode.self)
        for index in first..<(first + count) {
          var edge = edges[index]
          // The table of query keys contains key numbers, which are not replaced.
          if edge.node != 0, number != keyNode { edge.node = numbers[Int(edge.node)] }
          bytes.storeBytes(of: edge, toByteOffset: offset, as: MatchEdge.self)
          offset += MemoryLayout<MatchEdge>.stride
        }
      }
    }
  }
}
