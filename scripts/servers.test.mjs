import { expect, it } from 'vitest'
import { installServers } from './servers.mjs'

/** A machine on which these commands succeed, and on which installing makes the server appear. */
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
    if (knowsPackages) there.add('redis-server')
    return { status: knowsPackages ? 0 : 100 }
  }
  installServers({ run, isRoot, say: text => said.push(text) })
  return { ran, said: said.join('') }
}

it('does and says nothing when the server is there', () => {
  expect(machine({ has: ['redis-server'] })).toEqual({ ran: ['redis-server --version'], said: '' })
})

it('installs it as root, with a list of packages that may have to be fetched first', () => {
  for (const offers of [true, 'after update']) {
    const { ran, said } = machine({ has: ['apt-get'], offers })
    expect(ran.at(-1)).toBe('redis-server --version')
    expect(said).toBe('Installing redis-server (once)…\n')
  }
})

it('says what is skipped when it cannot be installed, and fails nothing', () => {
  for (const one of [{ has: [] }, { has: ['apt-get'], isRoot: false }, { has: ['apt-get'], offers: false }]) {
    const { ran, said } = machine(one)
    expect(said).toContain('are skipped')
    if (one.isRoot === false) expect(ran).toEqual(['redis-server --version'])
  }
})
