/** A client for a store on this machine: the operation runs in this process. */
import { accessSync, constants, existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import type { Signer, Warning } from 'agentstategraph'
import { findFile } from '../../host/store-address.ts'
import type { Apps } from '../../operations/apps.ts'
import { Refusal } from '../../wire/faults/refusal.ts'
import type { CommandEntry } from '../parse/command-entry.ts'
import { findOperation } from '../parse/find-operation.ts'
import type { Progress } from '../terminal/progress.ts'
import type { Client } from './client.ts'

/** The default agent: the user of this account. */
export function personName(): string {
  try {
    return `human/${userInfo().username.replace(/[^\w.-]/g, '-')}`
  } catch {
    // An account without a name, as in some containers.
    return 'human'
  }
}

/** Reading must not create a file: a mistyped name would look like an empty store. */
function mustExist(address: string): void {
  const file = findFile(address)
  if (file === undefined || existsSync(file)) return
  throw new Refusal({
    code: 'store-not-found',
    kind: 'not-found',
    message: `There is no store at ${address}`,
    hint: 'The first write makes it, and so does `asg init`.',
  })
}

/** Whether a command that reads has to leave the file alone, as on a read-only file system. Otherwise it may index what it finds. */
function mayOnlyRead(address: string): boolean {
  const file = findFile(address)
  if (file === undefined) return false
  try {
    for (const path of [file, dirname(file)]) accessSync(path, constants.W_OK)
    return false
  } catch {
    return true
  }
}

async function keyFile(file: string): Promise<Signer> {
  const { keyFileSigner } = await import('agentstategraph/trust')
  return keyFileSigner(file)
}

export interface LocalClientOptions {
  readonly address: string
  readonly agent: string | undefined
  readonly apps: Apps | undefined
  /** The file of the key that signs. */
  readonly signer: string | undefined
  /** The operation to call. */
  readonly entry: CommandEntry
  readonly signal: AbortSignal | undefined
  readonly onProgress: Progress['step']
  readonly onWarning: (warning: Warning) => void
}

export async function openLocalClient(options: LocalClientOptions): Promise<Client> {
  const { address, agent, apps, entry, signal, onProgress, onWarning } = options
  const signer = options.signer === undefined ? undefined : await keyFile(options.signer)
  if (entry.effect === 'read') mustExist(address)
  const [{ openHost }, operation] = await Promise.all([
    import('../../host/store-host.ts'),
    findOperation(entry.name, entry.module),
  ])
  const readOnly = entry.effect === 'read' && mayOnlyRead(address)
  const host = await openHost(address, { agent: agent ?? personName(), apps, readOnly, onWarning, signer })
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
