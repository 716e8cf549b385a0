/** The stores that a client opened, by the names that it gave them. Calls on a store that is being opened wait for it. */
import { resolve } from 'node:path'
import type { Warning } from 'agentstategraph'
import { z } from 'zod'
import { findFile } from '../host/store-address.ts'
import { openHost, type StoreHost } from '../host/store-host.ts'
import { serverError } from '../wire/errors.ts'
import { Refusal } from '../wire/faults/refusal.ts'

export const DEFAULT_STORE = 'default'

const openSchema = z.strictObject({
  address: z.string().min(1).max(4096).optional(),
  agent: z.string().min(1).max(255).optional(),
  mode: z.enum(['write', 'read-only', 'propose']).optional(),
})

export interface OpenStore {
  readonly host: StoreHost
  /** What all calls on it are at least restricted to. */
  readonly mode: 'write' | 'read-only' | 'propose'
}

export interface Stores {
  open(name: string, params: unknown): Promise<void>
  get(name: string): Promise<OpenStore>
  close(name: string): Promise<void>
  closeAll(): Promise<void>
}

export function storesOf(most: number, onWarning: (warning: Warning) => void): Stores {
  const stores = new Map<string, Promise<OpenStore>>()

  async function opened(params: unknown): Promise<OpenStore> {
    const { address, agent, mode = 'write' } = openSchema.parse(params)
    if (address !== undefined && /^https?:/i.test(address)) throw servedElsewhere(address)
    if (address === ':memory:') throw noFile(address)
    const file = address === undefined ? undefined : findFile(address)
    const host = await openHost(file === undefined ? address : resolve(file), {
      ...(agent === undefined ? {} : { agent }),
      ...(mode === 'read-only' ? { mode } : {}),
      onWarning,
    })
    return { host, mode }
  }

  async function close(name: string): Promise<void> {
    const opening = stores.get(name)
    if (opening === undefined) throw unknownStore(name)
    stores.delete(name)
    const store = await opening.catch(() => undefined)
    await store?.host.close()
  }

  return {
    async open(name, params) {
      if (stores.has(name)) throw openAlready(name)
      if (stores.size >= most) throw serverError('too-many-at-once', { limit: most, what: 'stores' })
      const opening = opened(params)
      stores.set(name, opening)
      // A store that could not be opened can be opened again under that name.
      opening.catch(() => stores.get(name) === opening && stores.delete(name))
      await opening
    },
    async get(name) {
      const opening = stores.get(name)
      if (opening === undefined) throw unknownStore(name)
      return opening
    },
    close,
    async closeAll() {
      for (const name of [...stores.keys()]) await close(name)
    },
  }
}

function unknownStore(name: string): Refusal {
  return new Refusal({
    code: 'store-not-open',
    kind: 'not-found',
    message: `No store is open under the name ${JSON.stringify(name)}.`,
    hint: 'Call open first. Nothing was changed.',
  })
}

function openAlready(name: string): Refusal {
  return new Refusal({
    code: 'store-open',
    kind: 'conflict',
    message: `A store is open under the name ${JSON.stringify(name)} already.`,
    hint: 'Give it another name, or close that one.',
  })
}

/** What SQLite calls a database in memory would be a file of that name here. */
function noFile(address: string): Refusal {
  return new Refusal({
    code: 'option-invalid',
    kind: 'usage',
    message: `${JSON.stringify(address)} names no file.`,
    hint: 'Leave the address out for a store in memory.',
  })
}

function servedElsewhere(address: string): Refusal {
  return new Refusal({
    code: 'scheme-unknown',
    kind: 'usage',
    message: `${address} is the address of a server, which is not opened here.`,
    hint: 'Send HTTP requests to the server.',
  })
}
