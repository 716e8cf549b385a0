/** `asg doctor`: checks this machine, the store and the server, and names a remedy for each failure. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '../../wire/faults/refusal.ts'
import { findStore, type StorePlace } from '../client/find-store.ts'
import { commandName } from '../terminal/command-text.ts'
import { ok } from '../terminal/exit-code.ts'
import { faultFrom } from '../terminal/fault-from.ts'
import { painter, type Terminal } from '../terminal/terminal.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { BuiltinCall } from './builtin-command.ts'
import { type Check, checkDriver, checkNode, checkServer, checkStore, checkTwoProcesses } from './doctor-checks.ts'

export interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly found: string
}

async function look(name: string, check: Check): Promise<Finding> {
  try {
    return { check: name, ok: true, found: await check() }
  } catch (error) {
    const { message, hint } = await faultFrom(error)
    return { check: name, ok: false, found: hint === undefined ? message : `${message} ${hint}` }
  }
}

/** A machine without a store is healthy. */
function findPlace(store: string | undefined, terminal: Terminal): StorePlace | undefined {
  try {
    return findStore(store, terminal)
  } catch (error) {
    if (error instanceof Refusal && error.fault.code === 'store-not-found') return undefined
    throw error
  }
}

export async function doctor({ settings, terminal }: BuiltinCall): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'asg-doctor-'))
  try {
    const findings = [
      await look('node', checkNode),
      await look('sqlite', checkDriver),
      await look('two processes', () => checkTwoProcesses(join(folder, 'state.db'))),
    ]
    const place = findPlace(settings.store, terminal)
    if (place?.kind === 'local') findings.push(await look('store', () => checkStore(place.address)))
    if (place?.kind === 'server') findings.push(await look('server', () => checkServer(place.url, settings.token)))
    const fine = findings.every(finding => finding.ok)
    const paint = painter(terminal)
    if (settings.json) terminal.out(`${visibleJson({ ok: fine, checks: findings }, 2)}\n`)
    else {
      for (const { check, ok: good, found } of findings) {
        const mark = good ? paint('green', '✔') : paint('red', '✘')
        terminal.out(`${mark} ${check.padEnd(14)} ${visibleText(found)}\n`)
      }
    }
    if (place === undefined) terminal.err(`There is no store here yet.\ntry: ${commandName(terminal)} init\n`)
    return fine ? ok : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
