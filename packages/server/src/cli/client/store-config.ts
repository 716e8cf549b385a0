/**
 * What is kept beside a store for the commands that use it: the current branch, the signing key, the agent.
 *
 * It names no code: a store that came with a folder must not decide what is run.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { findFile } from '../../host/store-address.ts'
import { Refusal } from '../../wire/faults/refusal.ts'
import type { StorePlace } from './find-store.ts'

export const configNames = ['branch', 'signer', 'agent'] as const
export type ConfigName = (typeof configNames)[number]
export type StoreConfig = Readonly<Partial<Record<ConfigName, string>>>

/** The file of a store's configuration; undefined for a store that is no file. */
export function findConfigFile(place: StorePlace): string | undefined {
  const file = place.kind === 'local' ? findFile(place.address) : undefined
  return file === undefined ? undefined : `${file}.config.json`
}

function invalid(file: string, reason: string): Refusal {
  return new Refusal({
    code: 'config-invalid',
    kind: 'usage',
    message: `${file} is no configuration: ${reason}`,
    hint: 'Correct the file, or remove it.',
  })
}

export function readConfig(place: StorePlace): StoreConfig {
  const file = findConfigFile(place)
  if (file === undefined) return {}
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return {}
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid(file, 'it is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(file, 'it is not an object')
  for (const [name, setting] of Object.entries(value)) {
    if (!configNames.some(known => known === name)) throw invalid(file, `there is no setting ${JSON.stringify(name)}`)
    if (typeof setting !== 'string' || setting === '') throw invalid(file, `${name} is not a text`)
  }
  return value as StoreConfig
}

/** Changes settings; undefined removes one. */
export function changeConfig(
  place: StorePlace,
  change: Readonly<Partial<Record<ConfigName, string | undefined>>>,
): void {
  const file = findConfigFile(place)
  if (file === undefined) {
    throw new Refusal({
      code: 'config-unavailable',
      kind: 'usage',
      message: 'A server keeps no settings for its callers',
      hint: 'Name the branch with --ref, and the agent by the key.',
    })
  }
  const config = Object.entries({ ...readConfig(place), ...change }).filter(([, value]) => value !== undefined)
  if (config.length === 0) {
    rmSync(file, { force: true })
    return
  }
  writeFileSync(`${file}.new`, `${JSON.stringify(Object.fromEntries(config), undefined, 2)}\n`)
  renameSync(`${file}.new`, file)
}

/** The file of the signing key: a name from the configuration is relative to the store, one that was typed to this folder. */
export function findSignerFile(typed: string | undefined, place: StorePlace, folder: string): string | undefined {
  if (typed !== undefined) return resolve(folder, typed)
  const file = findConfigFile(place)
  const kept = file === undefined ? undefined : readConfig(place).signer
  return kept === undefined ? undefined : resolve(dirname(file!), kept)
}
