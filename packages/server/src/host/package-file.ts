/** Files of this package beside its code: its manifest, its programs, the table of commands. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

// The package finds itself by its name, because its code is loaded from bundles as well as from single modules.
const manifest = pathToFileURL(createRequire(import.meta.url).resolve('@agentstategraph/server/package.json'))

export function packageFile(name: string): URL {
  return new URL(name, manifest)
}

export function packageVersion(): string {
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}
