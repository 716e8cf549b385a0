import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'

const launch = new URL('../../../lib/launch.js', import.meta.url)
/** Before Node kept compiled code itself. */
const isOwn = !('enableCompileCache' in (await import('node:module')).default)

let folder: string
let cache: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'asg-launch-'))
  cache = join(folder, 'cache')
  mkdirSync(cache)
  const main = 'const late = require("./late.cjs"); exports.main = () => late.square(7)\n'
  writeFileSync(join(folder, 'main.cjs'), main)
  writeFileSync(join(folder, 'late.cjs'), 'exports.square = n => n * n\n')
  writeFileSync(join(folder, 'app.cjs'), 'exports.answer = import("./app.mjs").then(({ answer }) => answer)\n')
  writeFileSync(join(folder, 'app.mjs'), 'export const answer = 42\n')
})

/** What a process prints that loads the program and calls it. */
function run(call = 'main()', env: Readonly<Record<string, string>> = {}): string {
  const program = new URL(`file://${folder}/main.cjs`)
  const code = `import { load } from ${JSON.stringify(launch.href)}
    const { main } = load(new URL(${JSON.stringify(program.href)}))
    console.log(await ${call})`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: cache, LOCALAPPDATA: cache, ...env },
  })
  expect(stderr).toBe('')
  return stdout.trim()
}

const compiled = (): string => join(cache, 'agentstategraph/compiled')

/** Each kept file, with its bytes. */
function kept(): Map<string, Buffer> {
  const names = existsSync(compiled()) ? readdirSync(compiled()) : []
  return new Map(names.sort().map(name => [name, readFileSync(join(compiled(), name))]))
}

describe.runIf(isOwn)('what is compiled', () => {
  it('is kept once for each file, for its owner alone, and used by the next process', () => {
    expect(run()).toBe('49')
    const first = kept()
    expect(first.size).toBe(2)
    expect(run()).toBe('49')
    expect(kept()).toEqual(first)
  })

  it('belongs to its text: a text of the same length is another', () => {
    run()
    const before = [...kept().keys()]
    writeFileSync(join(folder, 'late.cjs'), readFileSync(join(folder, 'late.cjs'), 'utf8').replace('n * n', 'n + n'))
    expect(run()).toBe('14')
    expect([...kept().keys()]).toEqual(expect.arrayContaining(before))
    expect(kept().size).toBe(3)
  })

  it.each<readonly [string, (data: Buffer) => Buffer]>([
    ['cut', data => data.subarray(0, data.length - 100)],
    ['empty', data => data.subarray(0, 0)],
    ['changed in one byte', data => data.fill(data.at(-1)! ^ 1, data.length - 1)],
    ['in zeros at its end', data => data.fill(0, data.length >> 1)],
  ])('is made again where it is %s', (_, damaged) => {
    run()
    const whole = kept()
    for (const [name, data] of whole) writeFileSync(join(compiled(), name), damaged(Buffer.from(data)))
    expect(run()).toBe('49')
    expect([...kept().values()].map(({ length }) => length)).toEqual([...whole.values()].map(({ length }) => length))
  })

  it('is removed when it is a month old', () => {
    mkdirSync(compiled(), { recursive: true, mode: 0o700 })
    chmodSync(join(cache, 'agentstategraph'), 0o700)
    writeFileSync(join(compiled(), 'old'), '')
    utimesSync(join(compiled(), 'old'), new Date(0), new Date(0))
    run()
    expect(kept().size).toBe(2)
  })
})

it.skipIf(process.platform === 'win32')('trusts no folder that others can write to, and runs without one', () => {
  mkdirSync(compiled(), { recursive: true })
  chmodSync(join(cache, 'agentstategraph'), 0o777)
  expect(run()).toBe('49')
  expect(kept().size).toBe(0)
  writeFileSync(join(folder, 'file'), '')
  expect(run('main()', { XDG_CACHE_HOME: join(folder, 'file') })).toBe('49')
})

it('keeps nothing where Node is told to keep nothing', () => {
  expect(run('main()', { NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('49')
  expect(kept().size).toBe(0)
})

it('loads files that are not of the program as Node does, so that they may import modules', () => {
  writeFileSync(
    join(folder, 'main.cjs'),
    'exports.main = () => require("../" + __dirname.split("/").at(-1) + "/app.cjs")\n',
  )
  for (const _ of 'ab') expect(run('main().answer')).toBe('42')
})
