/** What an auditor takes away from a bundle: tables, pages and the head, the same from both verifiers. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '../trust/support/protected-store.ts'
import { bundleFolder, inPython, type Ran, runInNode } from './support/both-verifiers.ts'

const good = join(bundleFolder, 'good-authority.jsonl')
const key = ['--key', join(bundleFolder, 'log.pub')]

it('both write the same table, page and head, and neither replaces a file', async () => {
  const folder = newFolder()
  const file = (name: string): string => join(folder, name)
  const to = (who: string): string[] =>
    ['csv', 'html', 'save-head'].flatMap(kind => [`--${kind}`, file(`${who}.${kind}`)])
  const [, inNode] = await runInNode([good, ...key, ...to('node')])
  const [[, inPy]] = inPython('runs', [[good, ...key, ...to('python')]]) as [Ran]
  expect(inPy).toBe(inNode)
  for (const kind of ['csv', 'html', 'save-head']) {
    expect(readFileSync(file(`python.${kind}`), 'utf8')).toBe(readFileSync(file(`node.${kind}`), 'utf8'))
  }
  const rows = readFileSync(file('node.csv'), 'utf8').split('\r\n')
  expect(rows[1]).toMatch(/^"5","[0-9a-f]{12}",.*operator → agent\/lead.*"Raise","Asked","90%","\/limit","200"$/)
  expect(readFileSync(file('node.html'), 'utf8')).toContain(
    'Each commit was made by somebody who was allowed to make it.',
  )
  const [again] = await runInNode([good, ...key, '--save-head', file('node.save-head')])
  expect(again).toBe(2)
  const [extended, told] = await runInNode([good, ...key, '--prior', file('node.save-head')])
  expect([extended, told]).toEqual([0, expect.stringContaining('extends: passed')])
})

it('what is no bundle is called so, and its head is not kept', async () => {
  const folder = newFolder()
  const other = [join(bundleFolder, 'log.pub'), '--save-head', join(folder, 'head')]
  for (const [exit, told] of [await runInNode(other), ...(inPython('runs', [other]) as Ran[])]) {
    expect([exit, told]).toEqual([
      2,
      expect.stringContaining('this is no bundle: its first line is not the header of one'),
    ])
    expect(told).not.toMatch(/integrity:|first failing check|do not rely/)
  }
})

it('what was typed wrong is answered in a line or two, before anything is checked or written', async () => {
  const folder = newFolder()
  const there = join(bundleFolder, 'log.pub')
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [[there, good], `one bundle at a time: ${there} and ${good} are two; a public key follows --key`],
    [[good, '--keys', there], 'what is --keys?'],
    [[good, '--csv', join(folder, 'new.csv'), '--html', there], `${there} is there already`],
  ]
  const inPy = inPython('runs', [...wrong.map(([args]) => args), [folder], ['-h']]) as Ran[]
  for (const [n, [args, says]] of wrong.entries())
    for (const ran of [await runInNode(args), inPy[n]])
      expect(ran).toEqual([2, `verify: ${says}\n--help shows how to use it\n`])
  for (const ran of [await runInNode([folder]), inPy[wrong.length]])
    expect(ran).toEqual([2, `verify: ${folder} could not be read\n`])
  for (const ran of [await runInNode(['-h']), inPy[wrong.length + 1]])
    expect(ran).toEqual([0, expect.stringContaining('usage: verify BUNDLE')])
  expect(readdirSync(folder)).toEqual([])
})

it('a file that is not there is named', async () => {
  const absent = [join(newFolder(), 'absent.jsonl')]
  for (const [exit, told] of [await runInNode(absent), ...(inPython('runs', [absent]) as Ran[])])
    expect([exit, told]).toEqual([2, `verify: ${absent[0]} could not be read\n`])
})

it('a list of changes has values, confidence and ids of twelve digits', async () => {
  const [, told] = await runInNode([good, '--paths', '/limit'])
  expect(told).toMatch(/entry 5, commit [0-9a-f]{12}, .*, \/limit = 200; Refine: Raise; because: Asked; 90% sure/)
})
