/** The client of one operation for the settings of a command: on the store of this machine that they name, or on a server. */
import type { Warning } from 'agentstategraph'
import { usageRefusal } from '../../wire/faults/refusal.ts'
import type { CommandEntry } from '../parse/command-entry.ts'
import type { Settings } from '../parse/settings.ts'
import type { Progress } from '../terminal/progress.ts'
import { reportWarning } from '../terminal/report-warning.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Client } from './client.ts'
import type { StorePlace } from './find-store.ts'
import { loadApps } from './load-apps.ts'
import { findSignerFile, readConfig } from './store-config.ts'

export interface ClientCall {
  readonly place: StorePlace
  readonly entry: CommandEntry
  readonly settings: Settings
  readonly terminal: Terminal
  readonly onProgress: Progress['step']
}

export async function openClient({ place, entry, settings, terminal, onProgress }: ClientCall): Promise<Client> {
  const { token, app } = settings
  const signal = entry.stream === undefined ? undefined : terminal.untilStopped()
  if (place.kind === 'server') {
    refuseTyped(
      settings,
      ['agent', 'app', 'signer'],
      'A server decides by the key who calls, and has its own app and key',
    )
    const { openRemoteClient } = await import('./remote-client.ts')
    return openRemoteClient({ url: place.url, token, entry, signal })
  }
  refuseTyped(settings, ['token'], 'A store of this machine needs no key')
  const { openLocalClient } = await import('./local-client.ts')
  const apps = app === undefined ? undefined : await loadApps(app, terminal.folder)
  const onWarning = (warning: Warning): void => reportWarning(warning, terminal)
  const agent = settings.agent ?? readConfig(place).agent
  const signer = entry.effect === 'read' ? undefined : findSignerFile(settings.signer, place, terminal.folder)
  return openLocalClient({ address: place.address, agent, apps, signer, entry, signal, onProgress, onWarning })
}

function refuseTyped({ typed }: Settings, names: readonly string[], why: string): void {
  const wrong = names.filter(name => typed.includes(name))
  if (wrong.length > 0) throw usageRefusal(`${why}: leave out ${wrong.map(name => `--${name}`).join(' and ')}`)
}
