/**
 * The backend of an address, with what the environment says about it.
 *
 * The library does not read the environment, so credentials and region of object storage are handed to it here.
 */
import type { Backend } from 'agentstategraph'
import { backendAt } from 'agentstategraph/backends'
import type { S3Options } from 'agentstategraph/backends/s3'

/** Opens the backend of an address. */
export async function storeAt(address: string, readOnly = false): Promise<Backend> {
  if (!isS3(address)) return backendAt(address, { readOnly })
  const { s3 } = await import('agentstategraph/backends/s3')
  return s3(address, { ...(await s3SettingsFor(address)), readOnly })
}

/** Whether an address is one of object storage. */
export function isS3(address: string): boolean {
  return /^s3:/i.test(address)
}

/** What the environment says of object storage. What the address says itself goes before it. */
export async function s3SettingsFor(address: string): Promise<S3Options> {
  const { s3Environment } = await import('agentstategraph/backends/s3')
  const given = s3Environment(process.env)
  // What is wrong with an address is said when it is opened.
  if (!URL.canParse(address)) return given
  const { searchParams, username } = new URL(address)
  const isOwn = (name: string): boolean => searchParams.has(name) || (name === 'credentials' && username !== '')
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isOwn(name)))
}
