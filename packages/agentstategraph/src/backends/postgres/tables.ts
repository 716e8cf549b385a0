/**
 * The tables of a PostgreSQL store, and how a schema of a database is recognised as one.
 *
 * | table | holds |
 * |---|---|
 * | `format` | the format of the tables |
 * | `heads` | a row for each namespace: its newest entry; the lock of its writers |
 * | `entries` | the journals, each entry with the first part of its pack |
 * | `parts` | the parts of packs after the first |
 * | `refs`, `keys` | where refs point; which entry an idempotency key wrote |
 * | `writers` | the last transaction of each writer, by which one whose answer was lost is found |
 * | `marks` | how far the index and the hashes are built |
 * | `terms`, `counts`, `hashes` | derived: the index of queries, and hashes of the Merkle tree |
 *
 * Each primary key begins with the namespace, so that tables can be distributed or partitioned by it. Names are bytes, because
 * a text of PostgreSQL has no NUL. A row of `heads` changes with each append, so its pages keep room for the next versions.
 */
import { coreError } from '../../core/index.ts'
import { backendError } from '../errors.ts'

/** The format that this version reads and writes. */
export const postgresFormat = 1

/** The oldest server whose statements these are. */
export const oldestServer = 12

/** The server cuts longer names, so that two schemas would be one store. */
const longestName = 63

/** Throws for what cannot be the name of a schema. */
export function assertSchema(schema: string): void {
  const bytes = Buffer.byteLength(schema)
  if (bytes > 0 && bytes <= longestName && !schema.includes('\0')) return
  const reason = `the name of a schema has 1 to ${longestName} bytes and no NUL, and this one has ${bytes} bytes`
  throw coreError('option-invalid', { field: 'schema', reason })
}

/** The names of the tables of one schema. */
export type Tables = Readonly<Record<(typeof tableNames)[number], string>>

const tableNames = [
  'format',
  'heads',
  'entries',
  'parts',
  'refs',
  'keys',
  'writers',
  'marks',
  'terms',
  'counts',
  'hashes',
] as const

/** The quoted names of the tables in a schema. */
export function tablesIn(schema: string): Tables {
  return Object.fromEntries(tableNames.map(name => [name, `${quoted(schema)}.${name}`])) as Tables
}

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

/**
 * The statements that make the tables, or those of them that are missing. A schema that is there is left out: naming it needs the right
 * to make one.
 */
export function creationOf(schema: string, tables: Tables, hasSchema: boolean): string {
  const { format, heads, entries, parts, refs, keys, writers, marks, terms, counts, hashes } = tables
  return `
BEGIN;
${hasSchema ? '' : `CREATE SCHEMA IF NOT EXISTS ${quoted(schema)};`}
CREATE TABLE IF NOT EXISTS ${format} (only_row boolean PRIMARY KEY CHECK (only_row), version int NOT NULL);
CREATE TABLE IF NOT EXISTS ${heads} (
  namespace bytea PRIMARY KEY, seq bigint NOT NULL, time float8 NOT NULL, first_leaf text, leaf text,
  pack_bytes bigint NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS ${entries} (
  namespace bytea, seq bigint, time float8 NOT NULL, leaf text NOT NULL, commit_id text COLLATE "C", later int,
  text bytea NOT NULL, commit_text bytea, part bytea, PRIMARY KEY (namespace, seq)
);
CREATE INDEX IF NOT EXISTS entries_by_commit ON ${entries} (namespace, commit_id) WHERE commit_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS ${parts} (
  namespace bytea, seq bigint, first int, bytes bytea NOT NULL, PRIMARY KEY (namespace, seq, first)
);
CREATE TABLE IF NOT EXISTS ${refs} (
  namespace bytea, name bytea, seq bigint NOT NULL, PRIMARY KEY (namespace, name)
) WITH (fillfactor = 70);
CREATE TABLE IF NOT EXISTS ${keys} (namespace bytea, name bytea, seq bigint NOT NULL, PRIMARY KEY (namespace, name));
CREATE TABLE IF NOT EXISTS ${writers} (
  namespace bytea, writer bytea, token bigint NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (namespace, writer)
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS ${marks} (
  namespace bytea, kind text, mark bigint NOT NULL, token bytea NOT NULL, PRIMARY KEY (namespace, kind)
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS ${terms} (
  namespace bytea, block bigint, term bytea, places bytea NOT NULL, PRIMARY KEY (namespace, block, term)
);
CREATE TABLE IF NOT EXISTS ${counts} (
  namespace bytea, counted bytea, key bytea, name bytea NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (namespace, counted, key)
);
CREATE TABLE IF NOT EXISTS ${hashes} (
  namespace bytea, level int, place bigint, hash bytea NOT NULL, PRIMARY KEY (namespace, level, place)
);
INSERT INTO ${format} VALUES (true, ${postgresFormat}) ON CONFLICT DO NOTHING;
COMMIT`
}

/** Throws for tables of another format. */
export function assertFormat(place: string, found: number): void {
  if (found !== postgresFormat) {
    throw backendError('format-unsupported', { file: place, found, supported: postgresFormat })
  }
}
