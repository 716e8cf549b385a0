/** Keys and signatures from a shell: make a key, work, seal, export, verify, replace the key. */
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { type CliFolder, cliStore } from './support/cli-folder.ts'

const scratch: CliFolder[] = []
afterEach(() => {
  for (const { remove } of scratch.splice(0)) remove()
})

async function newStore(): Promise<CliFolder> {
  const made = await cliStore()
  scratch.push(made)
  return made
}

const verifier = fileURLToPath(new URL('../../../../verifiers/verify.mjs', import.meta.url))

it('a store with a key gives a bundle that a stranger finds signed, also after the key was replaced', async () => {
  const { folder, asg } = await newStore()
  const key = (await asg(['key', 'new', '--name', 'example.org/log'])).out.trim()
  expect(key).toMatch(/^example\.org\/log\+[0-9a-f]{8}\+/)
  expect(statSync(join(folder, '.asg', 'signing.key')).mode & 0o077).toBe(0)
  expect(readFileSync(join(folder, '.asg', 'signing.key.pub'), 'utf8')).toBe(`${key}\n`)
  expect((await asg(['key', 'show'])).out.trim()).toBe(key)
  expect(await asg(['key', 'new'])).toMatchObject({ code: 3, err: expect.stringContaining('asg key rotate') })
  await asg(['set', '/n', '1', '-m', 'One'])
  await asg(['epoch', 'create', 'q1', 'First quarter', '--since', 'yesterday'])
  await asg(['set', '/n', '2', '-m', 'Two'])
  expect(JSON.parse((await asg(['epoch', 'seal', 'q1', 'Done', '--json'])).out)).toMatchObject({
    from_seq: 1,
    commits: 2,
  })
  const exported = await asg(['epoch', 'export', 'q1', '--out', 'q1.jsonl'])
  expect(exported).toMatchObject({ code: 0, err: expect.stringContaining('try: asg verify q1.jsonl --key') })
  expect(await asg(['epoch', 'export', 'q1', '--out', 'q1.jsonl'])).toMatchObject({ code: 3 })
  const pinned = ['--key', join('.asg', 'signing.key.pub')]
  expect((await asg(['verify', 'q1.jsonl', ...pinned])).out).toMatch(/✔ signed +passed/)
  const words = execFileSync(process.execPath, [verifier, 'q1.jsonl', ...pinned], { cwd: folder, encoding: 'utf8' })
  expect(words).toMatch(/^signed: passed/m)

  const next = (await asg(['key', 'rotate'])).out.trim()
  expect(next).not.toBe(key)
  expect((await asg(['key', 'show'])).out.trim()).toBe(next)
  await asg(['epoch', 'create', 'q2', 'Second quarter'])
  await asg(['set', '/n', '3', '-m', 'Three'])
  await asg(['epoch', 'seal', 'q2', 'Done'])
  await asg(['epoch', 'export', 'q2', '--out', 'q2.jsonl'])
  expect((await asg(['verify', 'q2.jsonl', ...pinned])).out).toMatch(/✔ signed +passed/)
  const retired = await asg(['set', '/n', '4', '-m', 'Four', '--signer', join('.asg', 'signing.key')])
  expect(retired).toMatchObject({ code: 4, err: expect.stringContaining('key-retired') })
})

it('a key that is named is used for one command, and none is made twice', async () => {
  const { asg } = await newStore()
  expect(await asg(['key', 'show'])).toMatchObject({ code: 5, err: expect.stringContaining('asg key new') })
  expect(await asg(['key', 'new', 'other.key'])).toMatchObject({
    code: 0,
    err: expect.stringContaining('--signer other.key'),
  })
  expect((await asg(['key', 'new', 'other.key'])).code).not.toBe(0)
  expect((await asg(['config', 'signer'])).out).toContain('(none)')
  await asg(['epoch', 'create', 'e', 'One'])
  const sealed = await asg(['epoch', 'seal', 'e', 'Done', '--signer', 'other.key', '--json'])
  expect(JSON.parse(sealed.out).signature).toContain('agentstategraph')
  expect(await asg(['set', '/a', '1', '-m', 'x', '--signer', 'absent.key'])).toMatchObject({
    code: 6,
    err: expect.stringContaining('there is no such file'),
  })
})

it('the current branch is where commands read and write that name none', async () => {
  const { asg } = await newStore()
  await asg(['set', '/n', '1', '-m', 'One'])
  expect(await asg(['switch', 'feature/net'])).toMatchObject({
    code: 5,
    err: expect.stringContaining('--create feature/net'),
  })
  expect(await asg(['switch', '--create', 'feature/net'])).toMatchObject({ code: 0, out: 'Now on feature/net\n' })
  expect(await asg(['set', '/n', '2', '-m', 'Two'])).toMatchObject({ err: 'on feature/net\n' })
  expect((await asg(['get', '/n'])).out).toBe('2\n')
  expect((await asg(['get', '/n', '--ref', 'main'])).out).toBe('1\n')
  expect((await asg(['get', '/n', '--ref', 'HEAD~1'])).out).toBe('1\n')
  expect((await asg(['get', '/n', '--ref', '@{now}'])).out).toBe('2\n')
  expect((await asg(['get', '/n', '--as-of', 'now'])).out).toBe('2\n')
  expect(await asg(['get', '/n', '--as-of', 'soon'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('2 hours ago'),
  })
  expect(await asg(['status', '--branch'])).toMatchObject({ out: 'feature/net\n' })
  expect((await asg(['status'])).out).toMatch(/^branch +feature\/net\nhead +\w{12} .*Two\n/)
  expect((await asg(['config'])).out).toMatch(/^branch +feature\/net/m)
  expect(await asg(['switch', 'main'])).toMatchObject({ out: 'Now on main\n' })
  expect((await asg(['get', '/n'])).out).toBe('1\n')
  expect(await asg(['config', 'agent', 'agent/x'])).toMatchObject({ code: 0 })
  expect(JSON.parse((await asg(['set', '/n', '3', '-m', 'Three', '--json'])).out).agent).toBe('agent/x')
  expect(await asg(['config', 'agent', '--unset'])).toMatchObject({ code: 0 })
  expect(await asg(['config', 'colour'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('branch, signer, agent'),
  })
})
