/** Calls an operation from a builtin command, on the same store and with the same settings. */
import { findStore } from '../client/find-store.ts'
import { openClient } from '../client/open-client.ts'
import { readCommandEntries } from '../parse/command-entry.ts'
import type { BuiltinCall } from './builtin-command.ts'

export async function calledOperation(
  { settings, terminal }: BuiltinCall,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<Readonly<Record<string, unknown>>> {
  const entry = readCommandEntries().find(each => each.name === name)
  if (entry === undefined) throw new Error(`There is no operation ${name}`)
  const place = findStore(settings.store, terminal)
  const client = await openClient({ place, entry, settings, terminal, onProgress: () => {} })
  try {
    return (await client.call(input)) as Readonly<Record<string, unknown>>
  } finally {
    await client.close()
  }
}
