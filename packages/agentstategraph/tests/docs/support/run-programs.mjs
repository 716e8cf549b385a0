/**
 * Runs compiled programs one after another, each in its own folder, and tells what each of them printed.
 *
 * They share a process because starting one takes longer than most of them run; they share nothing else.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const write = process.stdout.write
let asynchronous

process.on('unhandledRejection', reason => {
  asynchronous ??= reason
})

for (const folder of process.argv.slice(2)) {
  process.chdir(folder)
  const said = []
  asynchronous = undefined
  process.stdout.write = text => said.push(String(text)) > 0
  const thrown = await import(pathToFileURL(join(folder, 'main.js')).href).then(
    () => asynchronous,
    error => error ?? 'nothing was thrown',
  )
  process.stdout.write = write
  process.send({ printed: said.join(''), failure: thrown === undefined ? undefined : String(thrown.stack ?? thrown) })
}

process.disconnect()
