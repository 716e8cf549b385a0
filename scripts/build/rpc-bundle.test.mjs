import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../tools.mjs'
import { rpcFolder } from './rpc-bundle.mjs'

/** Starts the one file in a folder with nothing else. */
function start(args = [], nodeArgs = []) {
  const folder = mkdtempSync(join(tmpdir(), 'asg-alone-'))
  cpSync(join(rpcFolder, 'asg-rpc.mjs'), join(folder, 'asg-rpc.mjs'))
  const child = spawn(process.execPath, [...nodeArgs, 'asg-rpc.mjs', ...args], { cwd: folder })
  const told = { out: '', err: '', pid: child.pid }
  child.stderr.on('data', text => {
    told.err += text
  })
  const ended = new Promise(resolve =>
    child.once('close', code => resolve({ ...told, code, files: readdirSync(folder) })),
  )
  const line = () =>
    new Promise(resolve => {
      child.stdout.on('data', function read(text) {
        told.out += text
        if (!told.out.includes('\n')) return
        child.stdout.off('data', read)
        child.stdout.on('data', more => {
          told.out += more
        })
        resolve(JSON.parse(told.out.split('\n', 1)[0]))
      })
    })
  return { child, ended, line }
}

const hello = '{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1}}\n'
const open = '{"jsonrpc":"2.0","id":2,"method":"open"}\n'
const set = '{"jsonrpc":"2.0","id":3,"method":"set","params":{"path":"/a","value":1,"description":"Because"}}\n'

it('is one file with nothing beside it, and finishes what it accepted when its input ends', async () => {
  const { child, ended } = start()
  let out = ''
  child.stdout.on('data', text => {
    out += text
  })
  child.stdin.end(`${hello}${open}${set}{"jsonrpc":"2.0","id":4,"method":"set"`)
  const { code, err, files } = await ended
  expect([code, err, files]).toEqual([0, '', ['asg-rpc.mjs']])
  const answers = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(answers.map(({ id, error }) => [id, error])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
  ])
})

it('goes on after an interrupt, and ends after SIGTERM and when its parent is another process', async () => {
  const interrupted = start()
  interrupted.child.stdin.write(hello)
  await interrupted.line()
  interrupted.child.kill('SIGINT')
  interrupted.child.stdin.write(open)
  interrupted.child.kill('SIGTERM')
  expect(await interrupted.ended).toMatchObject({ code: 0, err: '' })
  const orphan = start(['--parent', '1'])
  expect(await orphan.ended).toMatchObject({ code: 0, err: '' })
})

it('says once of each driver of SQLite why it cannot be used', async () => {
  const { child, ended } = start([], ['--import', 'data:text/javascript,process.getBuiltinModule = () => undefined'])
  let out = ''
  child.stdout.on('data', text => {
    out += text
  })
  child.stdin.end(`${hello}${open.replace('"open"', '"open","params":{"address":"state.db"}')}`)
  const { files } = await ended
  const { error } = JSON.parse(out.split('\n')[1])
  expect(error.message).toMatch(
    /^No SQLite driver can be used: node:sqlite \(not in this Node\), @photostructure\/sqlite \(Cannot find .*\)\.$/,
  )
  expect(error.data.hint).toContain('22.22.3')
  expect(files).toEqual(['asg-rpc.mjs'])
})

it('names and quotes the licence of each package that it contains, and loads no other', () => {
  const licences = readFileSync(join(rpcFolder, 'THIRD-PARTY.txt'), 'utf8')
  const code = readFileSync(join(rpcFolder, 'asg-rpc.mjs'), 'utf8')
  const named = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+ \(/gm)].map(([, name]) => name)
  expect(named).toEqual(['zod'])
  for (const name of named)
    expect(licences).toContain(readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim())
  const imported = [...code.matchAll(/^(?:import|export) .*?from ["']([^"']+)["'];?$/gm)].map(([, name]) => name)
  expect(imported.filter(name => !name.startsWith('node:'))).toEqual([])
  expect(code).not.toMatch(/modelcontextprotocol|commander|hono/)
})
