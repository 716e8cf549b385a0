/** A store that is a file on this machine: the operation runs in this process. */
import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Apps } from '../../operations/apps.ts'
import type { CommandEntry } from '../parse/command-entry.ts'
import { findOperation } from '../parse/find-operation.ts'
import { CommandFault } from '../terminal/command-fault.ts'
import type { Progress } from '../terminal/progress.ts'
import type { Client } from './client.ts'

/** Who writes when nobody is named: the person whose account this is. */
export function personName(): string {
  try {
    return `human/${userInfo().username.replace(/[^\w.-]/g, '-')}`
  } catch {
    // An account without a name, as in some containers.
    return 'human'
  }
}

/** Reading must not make a file: a mistyped name would be an empty store. */
function mustExist(address: string): void {
  if (existsSync(address) || address.startsWith('file:')) return
  throw new CommandFault({
    code: 'store-not-found',
    kind: 'not-found',
    message: `There is no store at ${address}`,
    hint: 'The first write makes it, and so does `asg init`.',
  })
}

export interface LocalClientOptions {
  readonly address: string
  readonly agent: string | undefined
  readonly apps: Apps | undefined
  /** The operation that it is opened for. */
  readonly entry: CommandEntry
  readonly signal: AbortSignal | undefined
  readonly onProgress: Progress['step']
}

export async function openLocalClient(options: LocalClientOptions): Promise<Client> {
  const { address, agent, apps, entry, signal, onProgress } = options
  if (entry.effect === 'read') mustExist(address)
  const [{ openHost }, operation] = await Promise.all([
    import('../../host/store-host.ts'),
    findOperation(entry.name, entry.module),
  ])
  const host = await openHost(address, { agent: agent ?? personName(), apps })
  return {
    async call(input) {
      const context = {
        ...host.context({}, signal),
        onProgress: ({ done, total }: { done: number; total?: number }) => onProgress(done, total),
      }
      return operation.run(context, await operation.input.parseAsync(input))
    },
    close: () => host.close(),
  }
}
