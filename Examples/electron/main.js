// Notes in Electron: a single instance, which receives the links of further starts.
'use strict'
const { app } = require('electron')
const { envelope } = require('./envelope.js')

const urls = process.argv.filter((argument) => argument.toLowerCase().startsWith('electron-notes:'))
const request = { ...envelope('org.example.ElectronNotes'), urls }

function open(request) {
  console.log(JSON.stringify({ ...request, pid: process.pid }))
}

// This data reaches the first instance unchanged; Chromium adds its own switches to `argv`.
if (app.requestSingleInstanceLock(request)) {
  app.on('second-instance', (event, argv, workingDirectory, request) => open(request))
  app.whenReady().then(() => {
    if (urls.length > 0) open(request)
  })
} else {
  app.quit()
}
