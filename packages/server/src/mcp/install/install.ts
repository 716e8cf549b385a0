/**
 * `asg mcp install`: finds the clients on this machine, shows the change of each configuration, asks, writes, and keeps a backup.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { usageRefusal } from '../../wire/faults/refusal.ts'
import { findEdited, snippet } from './edit-config.ts'
import { type Entry, type KnownClient, knownClients, type Machine } from './known-client.ts'
import { lineDiff } from './line-diff.ts'
import { writeConfig } from './write-config.ts'

export interface Installing {
  readonly machine: Machine
  readonly entry: Entry
  /** Ids of clients; all installed ones when empty. */
  readonly clients: readonly string[]
  readonly isDryRun: boolean
  readonly say: (text: string) => void
  /** Asks the person about one client. */
  readonly agrees: (question: string) => Promise<boolean>
}

export async function install(installing: Installing): Promise<void> {
  const { machine, say, entry } = installing
  const chosen = chosenClients(installing)
  if (chosen.length === 0)
    say(
      `No client was found. Known are ${knownClients.map(({ id }) => id).join(', ')}: name one with --client, or add the server by hand:\n` +
        snippet(knownClients[0]!, entry),
    )
  for (const client of chosen) await installIn(client, client.file(machine), installing)
}

function chosenClients({ clients, machine }: Installing): readonly KnownClient[] {
  const unknown = clients.filter(id => !knownClients.some(client => client.id === id))
  if (unknown.length > 0)
    throw usageRefusal(
      `The client ${unknown.join(', ')} is not known.`,
      `Known are ${knownClients.map(({ id }) => id).join(', ')}.`,
      'client-unknown',
    )
  if (clients.length > 0) return knownClients.filter(({ id }) => clients.includes(id))
  return knownClients.filter(({ sign }) => existsSync(sign(machine)))
}

async function installIn(client: KnownClient, file: string, installing: Installing): Promise<void> {
  const { entry, isDryRun, say, agrees } = installing
  const text = await readFile(file, 'utf8').catch(error => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const edited = findEdited(text, client, entry)
  say(`\n${client.title}: ${file}\n`)
  if (edited === undefined) {
    say(`  This file has what we could not write back as it is. Add this by hand:\n${snippet(client, entry)}`)
    return
  }
  if (edited === text) {
    say('  It is there already.\n')
    return
  }
  say(lineDiff(text ?? '', edited))
  if (isDryRun) return
  if (!(await agrees(`Write this to ${file}?`))) {
    say('  Left as it was.\n')
    return
  }
  const backup = await writeConfig(file, edited)
  say(`  Written.${backup === undefined ? '' : ` The file as it was: ${backup}`}\n`)
}
