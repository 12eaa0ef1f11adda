'use strict'
const { readFileSync } = require('node:fs')

/** Returns Usher's envelope of the request for which this process was started; empty if another opener started it. */
exports.envelope = function (id) {
  try {
    const request = JSON.parse(readFileSync(process.env.USHER_ENVELOPE, 'utf8'))
    // Child processes inherit the variable, so check that the file is for this process.
    return request.application === id ? request : {}
  } catch {
    return {}
  }
}
