import { expect, it } from 'vitest'
import { installServers } from './servers.mjs'

/** A machine on which these commands succeed, and on which installing makes others appear. */
function machine({ has, offers = false, isRoot = true }) {
  const there = new Set(has)
  const ran = []
  const said = []
  let knowsPackages = offers === true
  const run = (command, args) => {
    ran.push([command, args[0]].join(' '))
    if (!there.has(command)) return { status: null }
    if (args[0] === 'update') knowsPackages = offers !== false
    if (args[0] !== 'install') return { status: 0 }
    if (knowsPackages) for (const name of args.filter(arg => !arg.startsWith('-')).slice(1)) there.add(name)
    return { status: knowsPackages ? 0 : 100 }
  }
  installServers({ run, isRoot, say: text => said.push(text) })
  return { ran, said: said.join(''), there }
}

const all = ['redis-server', 'python3']

it('does and says nothing when all are there', () => {
  const { ran, said } = machine({ has: all })
  expect([ran, said]).toEqual([all.map(command => `${command} --version`), ''])
})

it('installs what is missing as root, with a list of packages that may have to be fetched first', () => {
  for (const offers of [true, 'after update']) {
    const { there, said } = machine({ has: ['apt-get'], offers })
    expect(there).toEqual(new Set(['apt-get', ...all]))
    expect(said).toBe('Installing redis-server and python3 (once)…\n')
  }
  expect(machine({ has: ['apt-get', 'redis-server'], offers: true }).said).toBe('Installing python3 (once)…\n')
})

it('says what is missing when it cannot be installed, and fails nothing', () => {
  for (const one of [{ has: [] }, { has: ['apt-get'], isRoot: false }, { has: ['apt-get'], offers: false }]) {
    const { ran, said } = machine(one)
    expect(said).toContain('the tests of the Redis example are skipped')
    expect(said).toContain('the tests of verifiers/verify.py fail')
    if (one.isRoot === false) expect(ran).not.toContain('apt-get install')
  }
})
