/**
 * What one warm `repo.set('/a/b', n, 'why')` on a SQLite store passes through.
 *
 *   node scripts/trace-set.mjs
 *
 * Two numbers, each with its list. *Files*: the source files of the library of which at least one function was called, as
 * counted by precise coverage around exactly one set after 50 others. The body of a module does not count as a function.
 * *Frames*: the frames of the library on the stack between the caller and the first function of the repo layer, at the
 * moment when that layer first looks up the head of the branch. They are what a call passes before its work begins: the
 * class that users hold, and what drives work on a journal.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const library = new URL('../packages/agentstategraph/dist/', import.meta.url)
const { open } = await import(new URL('repository/index.js', library))
const { sqlite } = await import(new URL('backends/index.js', library))

const folder = mkdtempSync(join(tmpdir(), 'trace-set-'))
const repo = await open(sqlite(join(folder, 'state.db')))
for (let n = 0; n < 50; n++) await repo.set('/a/b', n, 'why')

const files = await filesPassed()
const frames = await framesBefore()
await repo.close()
rmSync(folder, { recursive: true })

report('files passed', files)
report('frames before work begins', frames)

function report(what, list) {
  console.log(`${list.length} ${what}`)
  for (const one of list) console.log(`  ${one}`)
}

async function filesPassed() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await repo.set('/a/b', 51, 'why')
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  return result
    .filter(({ url, functions }) => url.startsWith(library.href) && functions.some(wasCalled))
    .map(({ url }) => url.slice(library.href.length).replace(/\.js$/, ''))
    .sort()
}

/** A module's body has no name and begins with the file. */
function wasCalled({ functionName, ranges }) {
  const [{ startOffset, count }] = ranges
  return count > 0 && !(functionName === '' && startOffset === 0)
}

async function framesBefore() {
  const { heads } = repo.handle.shared
  let stack
  heads.get = key => {
    stack ??= stackNow()
    return Map.prototype.get.call(heads, key)
  }
  await repo.set('/a/b', 52, 'why')
  delete heads.get
  // Innermost first: what comes after the last function of the repo layer, and is the library's.
  const outside = stack.slice(stack.findLastIndex(({ place }) => place.startsWith('repo/')) + 1)
  return outside.map(({ name, place }) => `${name} (${place})`).reverse()
}

function stackNow() {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  Error.prepareStackTrace = (_, sites) =>
    sites.map(site => [site.getFunctionName() ?? 'anonymous', site.getFileName() ?? ''])
  const { stack } = new Error()
  Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  return stack.flatMap(([name, file]) => {
    const url = file.startsWith('file:') ? file : `file://${file}`
    return url.startsWith(library.href) ? [{ name, place: url.slice(library.href.length) }] : []
  })
}
