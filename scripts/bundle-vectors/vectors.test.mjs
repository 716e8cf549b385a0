/** The bundles in fixtures/bundles are those that the exporter and the mutators make now. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { bundleVectors } from './vectors.mjs'

const folder = fileURLToPath(new URL('../../fixtures/bundles/', import.meta.url))

it('has exactly the files that scripts/bundle-vectors.mjs writes', async () => {
  const files = await bundleVectors()
  expect(readdirSync(folder).sort()).toEqual([...files.keys()].sort())
  const differing = [...files].filter(
    ([file, content]) => !readFileSync(`${folder}${file}`).equals(Buffer.from(content)),
  )
  expect(differing.map(([file]) => file)).toEqual([])
})
