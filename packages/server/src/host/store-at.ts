/**
 * The backend of an address, with what the environment says about it.
 *
 * The library does not read the environment, so credentials and region of object storage are handed to it here.
 */
import type { Backend } from 'agentstategraph'
import { backendAt } from 'agentstategraph/backends'

/** Opens the backend of an address. */
export async function storeAt(address: string, readOnly = false): Promise<Backend> {
  if (!/^s3:/i.test(address)) return backendAt(address, { readOnly })
  const { s3, s3Environment } = await import('agentstategraph/backends/s3')
  return s3(address, { ...settingsFor(address, s3Environment(process.env)), readOnly })
}

/** What an address says itself goes before what the environment says. */
function settingsFor<T extends object>(address: string, given: T): Partial<T> {
  const { searchParams, username } = new URL(address)
  const isOwn = (name: string): boolean => searchParams.has(name) || (name === 'credentials' && username !== '')
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isOwn(name))) as Partial<T>
}
