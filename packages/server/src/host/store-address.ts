/** What the address of a store says before the store is opened. */
import { fileURLToPath } from 'node:url'

/** The file of a store that is one; undefined for the address of a server. */
export function findFile(address: string): string | undefined {
  if (address.startsWith('file:')) return fileURLToPath(address)
  return /^[a-z][a-z0-9+.-]+:/i.test(address) ? undefined : address
}

/** An address without its password, for people and logs. */
export function shownAddress(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]+:\/\/[^:@/]*):.*@/i, '$1@').replace(/([?&][a-z]*password=)[^&]*/gi, '$1…')
}
