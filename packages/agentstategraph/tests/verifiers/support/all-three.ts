/** The library and both verifiers on the same bundles: what they say of each level, and whether they say the same. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { verifyBundle } from '../../../src/trust/index.ts'
import { inPython, type Ran, runInNode } from './both-verifiers.ts'

/** The status of each level by its name, and under `failed` the first failing check, or `none`. */
export type Said = Readonly<Record<string, string>>

interface Report {
  readonly failed: { readonly check: string } | null
  readonly levels: readonly { readonly name: string; readonly status: string }[]
}

function saidIn(failed: string | undefined, levels: Report['levels']): Said {
  return { ...Object.fromEntries(levels.map(({ name, status }) => [name, status])), failed: failed ?? 'none' }
}

/** What the library says, then Node's verifier, then Python's, of each bundle. Each verifier starts once for all of them. */
export async function saidByEach(
  bundles: readonly string[],
  keys: readonly string[] = [],
): Promise<readonly (readonly Said[])[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bundles-'))
  try {
    const files = bundles.map((text, i) => {
      const file = join(folder, `${i}.jsonl`)
      writeFileSync(file, text)
      return file
    })
    const commands = files.map(file => [file, ...keys.flatMap(key => ['--key', key]), '--json'])
    const inNode: Ran[] = []
    for (const command of commands) inNode.push(await runInNode(command))
    const python = bundles.length === 0 ? [] : (inPython('runs', commands) as Ran[])
    const read = ([, written]: Ran): Said => {
      const { failed, levels } = JSON.parse(written) as Report
      return saidIn(failed?.check, levels)
    }
    const said: (readonly Said[])[] = []
    for (const [i, text] of bundles.entries()) {
      const { failed, checks } = await verifyBundle(text.split(/(?<=\n)/), { keys })
      said.push([saidIn(failed, checks), read(inNode[i]!), read(python[i]!)])
    }
    return said
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What all three say of a bundle; fails when they differ. */
export async function allSay(lines: readonly string[]): Promise<Said> {
  const [said] = await saidByEach([lines.join('')])
  const [library, node, python] = said!
  expect([node, python]).toEqual([library, library])
  return library!
}
