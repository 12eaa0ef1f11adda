// The parts of Electron that main.js uses, for acceptance tests under plain Node: the single-instance lock and its event.
'use strict'
const { execFileSync } = require('node:child_process')
const { EventEmitter } = require('node:events')
const { createReadStream, mkdirSync, writeFileSync } = require('node:fs')
const { createInterface } = require('node:readline')

const directory = `${process.env.XDG_RUNTIME_DIR}/electron-mock`
const starts = `${directory}/starts`

exports.app = Object.assign(new EventEmitter(), {
  requestSingleInstanceLock(data) {
    try {
      mkdirSync(directory)
    } catch {
      writeFileSync(starts, JSON.stringify([process.argv, process.cwd(), data]) + '\n')
      return false
    }
    execFileSync('mkfifo', [starts])
    createInterface({ input: createReadStream(starts, { flags: 'r+' }) }).on('line', (line) => {
      this.emit('second-instance', {}, ...JSON.parse(line))
    })
    return true
  },
  whenReady: () => Promise.resolve(),
  quit: () => process.exit(0),
})
