/**
 * The official suite of JSON Schema 2020-12, every required case of it: judged as the suite says, or refused by name.
 *
 * Each schema is attached and each value written, from nothing and on top of every value that fits, so that what asks only
 * about the difference is held to the suite as well.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { evaluateJsonSchema, findJsonSchemaDocument, jsonSchema } from '../../src/core/index.ts'
import { finished } from '../../src/core/json-schema/evaluation.ts'
import { isStateError, open } from '../../src/repository/index.ts'
import { schemas } from '../../src/schema/index.ts'

interface Case {
  readonly description: string
  readonly schema: object | boolean
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

const root = new URL('../../../../', import.meta.url)
const source = JSON.parse(readFileSync(new URL('fixtures/json-schema-suite.json', root), 'utf8')) as { sha256: string }
const folder = new URL(`node_modules/.cache/json-schema-suite/${source.sha256}/`, root)
const isHere = existsSync(folder)
const files = isHere ? readdirSync(folder).filter(name => name.endsWith('.json')) : []

function casesOf(file: string): readonly Case[] {
  return JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as readonly Case[]
}

const dynamic = '$dynamicRef is not supported: use $ref'
const remote = 'leads out of the document, and nothing is fetched'
const otherDialect = 'only https://json-schema.org/draft/2020-12/schema is known'

/** What is refused when it is attached: by file, the reason for each case. */
const refused: { readonly [file: string]: { readonly [description: string]: string } } = {
  'defs.json': { 'validate definition against metaschema': remote },
  'dynamicRef.json': {
    'A $dynamicRef to a $dynamicAnchor in the same schema resource behaves like a normal $ref to an $anchor': dynamic,
    'A $dynamicRef to an $anchor in the same schema resource behaves like a normal $ref to an $anchor': dynamic,
    'A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated':
      dynamic,
    'A $dynamicRef without anchor in fragment behaves identical to $ref': dynamic,
    "A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution":
      dynamic,
    'An $anchor with the same name as a $dynamicAnchor is not used for dynamic scope resolution': dynamic,
    'A $dynamicRef without a matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor':
      dynamic,
    'A $dynamicRef with a non-matching $dynamicAnchor in the same schema resource behaves like a normal $ref to $anchor':
      dynamic,
    'A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope':
      dynamic,
    'A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal $ref to $anchor':
      dynamic,
    'multiple dynamic paths to the $dynamicRef keyword': dynamic,
    'after leaving a dynamic scope, it is not used by a $dynamicRef': dynamic,
    'strict-tree schema, guards against misspelled properties': remote,
    'tests for implementation dynamic anchor and reference link': remote,
    '$ref and $dynamicAnchor are independent of order - $defs first': remote,
    '$ref and $dynamicAnchor are independent of order - $ref first': remote,
    '$ref to $dynamicRef finds detached $dynamicAnchor': remote,
    '$dynamicRef points to a boolean schema': dynamic,
    '$dynamicRef skips over intermediate resources - direct reference': dynamic,
  },
  'ref.json': { 'remote ref, containing refs itself': remote },
  'refRemote.json': {
    'remote ref': remote,
    'fragment within remote ref': remote,
    'anchor within remote ref': remote,
    'ref within remote ref': remote,
    'base URI change': remote,
    'base URI change - change folder': remote,
    'base URI change - change folder in subschema': remote,
    'root ref in remote ref': remote,
    'remote ref with ref to defs': remote,
    'Location-independent identifier in remote ref': remote,
    'retrieved nested refs resolve relative to their URI not $id': remote,
    'remote HTTP ref with different $id': remote,
    'remote HTTP ref with different URN $id': remote,
    'remote HTTP ref with nested absolute ref': remote,
    '$ref to $ref finds detached $anchor': remote,
  },
  'unevaluatedItems.json': { 'unevaluatedItems with $dynamicRef': dynamic },
  'unevaluatedProperties.json': { 'unevaluatedProperties with $dynamicRef': dynamic },
  'vocabulary.json': {
    'schema that uses custom metaschema with with no validation vocabulary': otherDialect,
    'ignore unrecognized optional vocabulary': otherDialect,
  },
}

it('the official JSON Schema suite is there where it must be', () => {
  if (process.env['CI']) expect(isHere, 'npm test fetches it: CI has to run these tests').toBe(true)
})

describe.skipIf(!isHere)('the official JSON Schema suite (skipped where it could not be fetched)', () => {
  it('is whole, and every refusal is about one of its cases', () => {
    expect(files.length).toBeGreaterThanOrEqual(46)
    for (const [file, cases] of Object.entries(refused)) {
      const known = casesOf(file).map(({ description }) => description)
      expect(known).toEqual(expect.arrayContaining(Object.keys(cases)))
    }
  })

  for (const file of files) {
    it(file, async () => {
      for (const one of casesOf(file)) {
        const reason = refused[file]?.[one.description]
        if (reason !== undefined) await expectRefused(one, reason)
        else await expectJudged(one)
      }
    })
  }
})

async function expectRefused({ description, schema }: Case, reason: string): Promise<void> {
  await using repo = await open()
  const error = await schemas(repo)
    .attach('/value', schema, {}, 'Try')
    .catch((thrown: unknown) => thrown)
  expect(isStateError(error, 'schema-invalid') && error.data.reason, description).toContain(reason)
  expect(await repo.log(), description).toEqual([])
}

async function expectJudged({ description, schema, tests }: Case): Promise<void> {
  const { schema: root, resolve } = findJsonSchemaDocument(jsonSchema(schema))!
  await using repo = await open()
  await schemas(repo).attach('/value', schema, {}, 'Attach')
  const fitting = tests.filter(({ valid }) => valid)
  for (const { description: name, data, valid } of tests) {
    const title = `${description}: ${name}`
    expect(finished(evaluateJsonSchema(root, data, resolve)).length === 0, title).toBe(valid)
    for (const before of [undefined, ...fitting]) {
      await repo.set('/', {}, 'Begin again')
      if (before !== undefined) await repo.set('/value', before.data, before.description)
      const lands = await repo.set('/value', data, name).then(
        () => true,
        (error: unknown) => {
          if (isStateError(error, 'schema-violation')) return false
          throw error
        },
      )
      expect(lands, `${title}, after ${before?.description ?? 'nothing'}`).toBe(valid)
    }
  }
}
