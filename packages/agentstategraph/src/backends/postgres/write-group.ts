/**
 * Writes what a group of appends adds, in one statement.
 *
 * Texts and parts are one block of bytes, which the statement cuts by offset and length: one parameter in binary form instead of arrays
 * that are parsed.
 */

import type { GroupState } from './group-state.ts'
import { bytesArray, nameBytes, numbersArray, textsArray } from './literals.ts'
import type { Session, Transaction } from './session.ts'

const writeText = ({ heads, entries, parts, keys, refs, writers }: Session['tables']): string => `
  WITH added AS (
    INSERT INTO ${entries} (namespace, seq, time, leaf, commit_id, later, text, commit_text, part)
    SELECT $1, $2::bigint + n, time, leaf, commit_id, later,
      substring($3::bytea FROM text_at FOR text_size), substring($3::bytea FROM commit_at FOR commit_size),
      substring($3::bytea FROM part_at FOR part_size)
    FROM unnest($4::text::float8[], $5::text::text[], $6::text::text[], $7::text::int[], $8::text::int[], $9::text::int[],
      $10::text::int[], $11::text::int[], $12::text::int[], $13::text::int[]) WITH ORDINALITY
      AS new (time, leaf, commit_id, later, text_at, text_size, commit_at, commit_size, part_at, part_size, n)
  ), later_parts AS (
    INSERT INTO ${parts} (namespace, seq, first, bytes)
    SELECT $1, seq, first, substring($3::bytea FROM at FOR size)
    FROM unnest($14::text::bigint[], $15::text::int[], $16::text::int[], $17::text::int[]) AS new (seq, first, at, size)
  ), used AS (
    INSERT INTO ${keys} (namespace, name, seq)
    SELECT $1, name, seq FROM unnest($18::text::bytea[], $19::text::bigint[]) AS new (name, seq)
  ), moved AS (
    INSERT INTO ${refs} (namespace, name, seq)
    SELECT $1, name, seq FROM unnest($20::text::bytea[], $21::text::bigint[]) AS new (name, seq)
    ON CONFLICT (namespace, name) DO UPDATE SET seq = excluded.seq
  ), deleted AS (
    DELETE FROM ${refs} r USING unnest($22::text::bytea[]) AS gone WHERE namespace = $1 AND r.name = gone
  ), written AS (
    INSERT INTO ${writers} (namespace, writer, token, at) VALUES ($1, $23, $24::bigint, now())
    ON CONFLICT (namespace, writer) DO UPDATE SET token = excluded.token, at = excluded.at
  ), forgotten AS (
    DELETE FROM ${writers} WHERE $30::boolean AND namespace = $1 AND at < now() - interval '1 day'
  )
  UPDATE ${heads} SET seq = $25::bigint, time = $26::float8, first_leaf = coalesce(first_leaf, $27::text), leaf = $28::text,
    pack_bytes = $29::bigint
  WHERE namespace = $1`

/** How often rows are deleted of writers that have written nothing for a day, and so wait for no answer. */
const forgetEvery = 1024

/** Bytes one after the other, and where each begins, counted from 1. */
class Block {
  readonly #pieces: Uint8Array[] = []
  #size = 0

  add(piece: Uint8Array): number {
    const at = this.#size + 1
    this.#pieces.push(piece)
    this.#size += piece.length
    return at
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces, this.#size)
  }
}

/** Writes a group. The caller commits. */
export async function writeGroup(
  session: Session,
  { ask, writer, token }: Transaction,
  namespace: Uint8Array,
  state: GroupState,
): Promise<void> {
  const { before, entries, newKeys, newRefs } = state
  const block = new Block()
  const places = { text: placesIn(block), commit: placesIn(block), part: placesIn(block), later: placesIn(block) }
  const later = { seqs: [] as number[], firsts: [] as number[] }
  for (const [i, { entry }] of entries.entries()) {
    const [part, ...others] = entry.parts
    places.text.add(Buffer.from(entry.text))
    places.commit.add(entry.commit && Buffer.from(entry.commit.text))
    places.part.add(part?.bytes)
    for (const { first, bytes } of others) {
      later.seqs.push(before.seq + i + 1)
      later.firsts.push(first)
      places.later.add(bytes)
    }
  }
  const put = [...newRefs].filter((ref): ref is [string, number] => ref[1] !== null)
  const deleted = [...newRefs].filter(([, seq]) => seq === null)
  await ask(writeText(session.tables), [
    namespace,
    before.seq,
    block.bytes(),
    numbersArray(entries.map(({ time }) => time)),
    textsArray(entries.map(({ entry }) => entry.leaf)),
    textsArray(entries.map(({ entry }) => entry.commit?.id ?? null)),
    numbersArray(entries.map(({ entry }) => entry.parts[1]?.first ?? null)),
    ...places.text.arrays(),
    ...places.commit.arrays(),
    ...places.part.arrays(),
    numbersArray(later.seqs),
    numbersArray(later.firsts),
    ...places.later.arrays(),
    bytesArray([...newKeys.keys()].map(nameBytes)),
    numbersArray([...newKeys.values()]),
    bytesArray(put.map(([name]) => nameBytes(name))),
    numbersArray(put.map(([, seq]) => seq)),
    bytesArray(deleted.map(([name]) => nameBytes(name))),
    writer,
    token,
    state.seq,
    state.time,
    entries[0]!.entry.leaf,
    entries.at(-1)!.entry.leaf,
    state.packBytes,
    token % forgetEvery === 1,
  ])
}

interface Places {
  add(piece: Uint8Array | undefined): void
  /** The arrays of beginnings and of sizes. */
  arrays(): readonly [string, string]
}

function placesIn(block: Block): Places {
  const ats: (number | null)[] = []
  const sizes: (number | null)[] = []
  return {
    add(piece) {
      ats.push(piece === undefined ? null : block.add(piece))
      sizes.push(piece?.length ?? null)
    },
    arrays: () => [numbersArray(ats), numbersArray(sizes)],
  }
}
