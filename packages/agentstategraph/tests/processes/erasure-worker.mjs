/**
 * A process that writes protected values of several subjects and tells what it could read of them.
 *
 * It gets its orders as JSON in its only argument, says "ready" when the repository is open, begins when a line comes in,
 * and prints one line of JSON at its end. With `erase`, it erases that subject instead of writing.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { open } from '../../dist/repository/index.js'
import { erase, protect, subjectKeyFolder } from '../../dist/trust/index.js'

const { file, folder, patterns, name, subjects, eraseSubject } = JSON.parse(process.argv[2])
const keys = await subjectKeyFolder(folder)
const repo = await open(file, { protect: protect({ patterns, keys }), agent: name })
const say = line => writeSync(1, `${JSON.stringify(line)}\n`)

say('ready')
await once(process.stdin, 'data')
process.stdin.pause()

if (eraseSubject !== undefined) say(await erase(repo, eraseSubject, 'Asked'))
else {
  for (const subject of subjects) await repo.set(`/notes/${subject}/${name}`, { by: name }, `${name} on ${subject}`)
  say(subjects.map(subject => keys.current(subject).id))
}
await repo.close()
