/**
 * Runs the first program of the README, as it stands there, with every runtime that the README names, and in a browser.
 *
 * The runtimes come from the package registry, pinned by the lock file in runtimes/. One that the registry lacks for this
 * platform is named, and CI does not accept that.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { rolldown } from 'rolldown'
import { listBlocks } from '../scripts/pages/page-blocks.mjs'
import { tryInstall } from '../scripts/toolchain/install.mjs'
import { root } from '../scripts/tools.mjs'

const folder = join(root, 'release/runtimes')
const modules = join(folder, 'node_modules')
const runtimes = {
  'Node 20': [join(modules, 'node-20/bin/node'), '--no-warnings'],
  'Node 22': [join(modules, 'node-22/bin/node'), '--no-warnings'],
  'Node 24': [join(modules, 'node-24/bin/node'), '--no-warnings'],
  Bun: [join(modules, '@oven/bun-linux-x64/bin/bun'), 'run'],
  Deno: [join(modules, '@deno/linux-x64-glibc/deno'), 'run', '-A', '--no-lock'],
}
/** What a program in CommonJS does first. */
const required = "console.log(typeof require('agentstategraph').open)"
const browser = process.env.ASG_CHROMIUM ?? '/usr/bin/chromium'

/** Throws when a runtime prints something else than the README says. `project` has the tarballs installed. */
export async function tryRuntimes(project) {
  const failed = tryInstall(folder, ['--ignore-scripts'])
  if (failed !== undefined) throw new Error(`${failed.remedy}\n${failed.said}`)
  const program = listBlocks('README.md', readFileSync(join(root, 'README.md'), 'utf8')).find(
    ({ language, printed }) => language === 'js' && printed !== undefined,
  )
  for (const [name, command] of Object.entries(runtimes)) {
    if (!isThere(name, command[0])) continue
    expectSame(name, runIn(project, command, 'first.mjs', program.code), program.printed)
    if (name.startsWith('Node'))
      expectSame(`${name}, CommonJS`, runIn(project, command, 'first.cjs', required), 'function')
  }
  if (isThere('a browser', browser)) expectSame('a browser', await runInBrowser(project, program.code), program.printed)
}

function isThere(name, file) {
  if (existsSync(file)) return true
  if (process.env.CI) throw new Error(`${name} is missing: there is no ${file}`)
  process.stdout.write(`SKIPPED: ${name}, there is no ${file}\n`)
  return false
}

/** Runtimes print objects with other quotes and line breaks. */
function expectSame(name, said, expected) {
  const plain = text =>
    text
      .replace(/["']/g, "'")
      .replace(/,(\s*)}/g, '$1}')
      .replace(/\s+/g, ' ')
      .trim()
  if (plain(said) !== plain(expected)) throw new Error(`${name} printed:\n${said}`)
  process.stdout.write(`${name}: prints what it should\n`)
}

function runIn(project, [command, ...args], file, code) {
  const place = mkdtempSync(join(project, 'runtime-'))
  writeFileSync(join(place, file), code)
  const done = spawnSync(command, [...args, file], { cwd: place, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`${command} ended with ${done.status}:\n${done.stdout}${done.stderr}`)
  return done.stdout
}

/** A page has no files: the store is in memory there. */
async function runInBrowser(project, code) {
  const place = mkdtempSync(join(project, 'browser-'))
  writeFileSync(join(place, 'first.mjs'), code.replace("open('state.db')", 'open()'))
  const bundled = await rolldown({ input: join(place, 'first.mjs'), platform: 'browser', logLevel: 'silent' })
  const { output } = await bundled.generate({})
  await bundled.close()
  const shown = await chromium.launch({ executablePath: browser, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await shown.newPage()
    const lines = []
    const failed = new Promise((_, reject) => page.on('pageerror', reject))
    page.on('console', message => lines.push(Promise.all(message.args().map(value => value.jsonValue()))))
    await page.route('**/*', route =>
      route.request().url().endsWith('.js')
        ? route.fulfill({ contentType: 'text/javascript', body: codeAt(output, route.request().url()) })
        : route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>first</title>' }),
    )
    await page.goto('http://localhost/')
    await Promise.race([page.evaluate(`import('/${output[0].fileName}')`), failed])
    return (await Promise.all(lines)).map(values => values.map(textOf).join(' ')).join('\n')
  } finally {
    await shown.close()
  }
}

/** What a bundler splits off is asked for only when it is needed, such as the files of SQLite. */
function codeAt(output, url) {
  return output.find(({ fileName }) => url.endsWith(`/${fileName}`)).code
}

function textOf(value) {
  if (typeof value === 'string') return value
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${JSON.stringify(field)}`)
  return `{ ${fields.join(', ')} }`
}
