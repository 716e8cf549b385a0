/**
 * Writes fixtures/bundles anew.
 *
 *   node scripts/bundle-vectors.mjs
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleVectors } from './bundle-vectors/vectors.mjs'

const folder = fileURLToPath(new URL('../fixtures/bundles/', import.meta.url))
const files = await bundleVectors()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [file, content] of files) writeFileSync(`${folder}${file}`, content)
console.log(`${files.size} files in fixtures/bundles`)
