/** Preloaded into a process: tells on descriptor 3 the CPU time that it used until its end, in seconds. */
const { writeSync } = require('node:fs')

process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeSync(3, String((user + system) / 1e6))
})
