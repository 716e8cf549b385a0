/** What people want next after epochs, namespaces and the care of a store. */
import { firstOf, type Steps, word } from './done.ts'

export const storeSteps: Steps = {
  create_epoch: ({ result: { id } }) => `epoch seal ${word(id)} 'What it holds'`,
  seal_epoch: ({ result: { id } }) => `epoch export ${word(id)} --out ${word(`${String(id)}.jsonl`)}`,
  list_epochs: ({ result }) => {
    const first = firstOf(result)
    return first === undefined ? "epoch create q1 'First quarter'" : `epoch show ${word(first['id'])}`
  },
  verify: () => 'stats',
  stats: () => 'verify',
  create_namespace: ({ result: { name } }) => `principal add agent/a --namespace ${word(name)}`,
  list_namespaces: ({ result: { namespaces } }) => {
    const last = Array.isArray(namespaces) ? namespaces.at(-1) : undefined
    return last === 'default' ? 'namespace create team' : `get / --namespace ${word(last)}`
  },
  delete_namespace: () => 'namespace list',
  get_epoch: ({ result: { id, status } }) =>
    status === 'open'
      ? `epoch seal ${word(id)} 'What it holds'`
      : `epoch export ${word(id)} --out ${word(`${String(id)}.jsonl`)}`,
  sign_epoch: ({ result: { id } }) => `epoch export ${word(id)} --out ${word(`${String(id)}.jsonl`)}`,
  archive_epoch: () => 'epoch list',
  list_erasures: () => 'verify',
  erase: () => 'erasures',
  gc_dry_run: () => 'gc sweep',
  gc_sweep: () => 'stats',
  set_retention: () => 'gc dry-run',
  compact: () => 'stats',
  reindex: () => 'verify',
  repair: () => 'verify',
  import: () => 'branch list',
  pull: () => 'branch list',
  accept_history: () => 'verify',
  list_schemas: ({ result }) => {
    const first = firstOf(result)
    return first === undefined ? `schema attach /cluster '{"type":"object"}'` : `schema show ${word(first['pattern'])}`
  },
  attach_schema: () => 'schema check',
  detach_schema: () => 'schema list',
  get_schema: () => 'schema check',
  check_schema: () => 'schema list',
  check_migrations: () => 'migrate run',
  rollback_migrations: () => 'migrate check',
  stamp_version: () => 'migrate check',
  witness_request: ({ input: { id } }) => `epoch show ${word(id)}`,
  cosign_epoch: ({ input: { id } }) => `epoch export ${word(id)} --out ${word(`${String(id)}.jsonl`)}`,
  run_migrations: () => 'log -n 5',
}
