// SPDX-License-Identifier: Apache-2.0
// UIKit's own import line brings Foundation with it.
@_exported public import Foundation
