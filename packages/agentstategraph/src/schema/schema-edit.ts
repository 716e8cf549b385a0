/** Writes changes of schemas into a system root, one by one. The caller lands it. */

import { encode, userKey } from '../core/index.ts'
import { schemasPath } from '../repo/index.ts'
import type { Journal, Work } from '../store/index.ts'
import { containerOfChild, edit, entriesOf, findEntry, type Link } from '../tree/index.ts'
import { schemaError } from './errors.ts'
import type { PreparedSchema } from './given-schema.ts'

/** A change of the schemas: a schema to attach, or the pattern of one to detach. */
export type SchemaChange = { readonly attach: PreparedSchema } | { readonly detach: string }

export function* withSchemas(journal: Journal, system: Link, changes: readonly SchemaChange[]): Work<Link> {
  let root = system
  for (const change of changes) {
    if ('attach' in change) {
      const { pattern, record } = change.attach
      const path = [...schemasPath, pattern]
      root = (yield* edit(journal.context, root, [{ op: 'set', path, value: encode(record) }])).root
      continue
    }
    const known = yield* patternsIn(journal, root)
    if (!known.includes(change.detach)) throw schemaError('schema-not-found', { pattern: change.detach, known })
    // Without its last schema, a state equals one that never had a schema.
    const path = known.length === 1 ? schemasPath : [...schemasPath, change.detach]
    root = (yield* edit(journal.context, root, [{ op: 'delete', path }])).root
  }
  return root
}

/** The patterns that have a schema. The schemas are not read, so that one that cannot be read can be detached. */
function* patternsIn({ context }: Journal, system: Link): Work<readonly string[]> {
  const entry = yield* findEntry(context, system, schemasPath)
  const kept = entry === undefined ? undefined : yield* containerOfChild(context, entry.child)
  return kept === undefined ? [] : (yield* entriesOf(context, kept)).map(({ key }) => userKey(key))
}
