// Notes in Electron: one instance, which is told what each further start was for.
'use strict'
const { app } = require('electron')
const { envelope } = require('./envelope.js')

const urls = process.argv.filter((argument) => argument.startsWith('electron-notes:'))
const request = { ...envelope('org.example.ElectronNotes'), urls }

function open(request) {
  console.log(JSON.stringify({ ...request, pid: process.pid }))
}

// What is given here reaches the first instance as it is; `argv` gets switches of Chromium's mixed in.
if (app.requestSingleInstanceLock(request)) {
  app.on('second-instance', (event, argv, workingDirectory, request) => open(request))
  app.whenReady().then(() => {
    if (urls.length > 0) open(request)
  })
} else {
  app.quit()
}
