'use strict'
const { readFileSync } = require('node:fs')

/** What Usher knows of the request that this process was started for; nothing where another opener started it. */
exports.envelope = function (id) {
  try {
    const request = JSON.parse(readFileSync(process.env.USHER_ENVELOPE, 'utf8'))
    // A program that was started for a link hands the variable on to what it starts itself.
    return request.application === id ? request : {}
  } catch {
    return {}
  }
}
