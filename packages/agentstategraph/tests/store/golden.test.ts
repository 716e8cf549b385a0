/** The held examples of entries, commits and packs. What a line says was decided once and holds for good. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { canonicalText, hexOfId, idOfHex, parsePath, type Stored } from '../../src/core/index.ts'
import { land } from '../../src/repo/write/land.ts'
import { writer } from '../../src/repo/write/write.ts'
import {
  type CommitRecord,
  commitId,
  commitText,
  type EntryRecord,
  entryText,
  findHead,
  type Journal,
  leafOfEntry,
  memoryBackend,
  openJournal,
  parseCommit,
  parseEntry,
  type StoredCommit,
} from '../../src/store/index.ts'
import { type Edit, edit, rootOf } from '../../src/tree/index.ts'
import { infoOf } from './support/journals.ts'
import { type PlainPack, type PlainPointer, readPlainPack } from './support/plain-pack.ts'
import { readParts } from './support/stored-parts.ts'

type EntryLine =
  | {
      readonly kind: 'entry'
      readonly note: string
      readonly record: EntryRecord
      readonly text: string
      readonly leaf: string
    }
  | {
      readonly kind: 'commit'
      readonly note: string
      readonly record: CommitRecord
      readonly text: string
      readonly id: string
    }

interface PackLine extends PlainPack {
  readonly note: string
  readonly seq: number
  readonly edits: readonly {
    readonly op: 'set' | 'delete'
    readonly path: string
    readonly value?: string
    readonly draft?: number
  }[]
  /** Canonical texts of states. */
  readonly systemState?: string
  readonly detailState?: string
  readonly bytes: string
}

describe('fixtures/entries.jsonl', () => {
  it.each(linesOf<EntryLine>('entries.jsonl'))('$kind: $note', line => {
    const { text } = line
    expect(canonicalText(JSON.parse(text) as Stored)).toBe(text)
    if (line.kind === 'entry') {
      expect(entryText(line.record)).toBe(text)
      expect(parseEntry(text)).toMatchObject(line.record)
      expect(hexOfId(leafOfEntry(text))).toBe(line.leaf)
      expect(sha256(Buffer.concat([Buffer.of(0), Buffer.from(text)]))).toBe(line.leaf)
    } else {
      expect(commitText(line.record)).toBe(text)
      expect(parseCommit(text)).toEqual(line.record)
      expect(hexOfId(commitId(text))).toBe(line.id)
      expect(sha256(Buffer.from(text))).toBe(line.id)
    }
  })
})

describe('fixtures/packs.jsonl', () => {
  const lines = linesOf<PackLine>('packs.jsonl')

  it.each(lines)('$note: the bytes are what the line says they are', ({ bytes, ...line }) => {
    const textAt = ([seq, index]: PlainPointer) => lines.find(older => older.seq === seq)!.records[index]!.text
    const read = readPlainPack(Buffer.from(bytes, 'hex'), textAt)
    expect(line).toMatchObject({ ...read })
  })

  it('one after another, the edits of all lines give the packs of all lines', async () => {
    const journal = await openJournal(memoryBackend())
    for (const line of lines) {
      const commit = await commitLine(journal, line)
      const parts = await readParts(journal.log, commit.seq)
      expect(commit.seq).toBe(line.seq)
      expect(parts.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).toEqual([line.bytes])
      expect(commit.entry.pack).toBe(idOfHex(line.digest))
    }
  })
})

async function commitLine(journal: Journal, line: PackLine): Promise<StoredCommit> {
  const { context } = journal
  const head = await journal.run(findHead(journal, 'branch/main'))
  const edits = line.edits.map(({ op, path, value, draft = 0 }): Edit => {
    const at = parsePath(path)
    return op === 'delete' ? { op, path: at, draft } : { op, path: at, value: JSON.parse(value!) as Stored, draft }
  })
  const { root: tree, changed } = await journal.run(edit(context, head?.tree ?? rootOf(context, {}, 0), edits))
  const rootOfText = (text: string) => rootOf(context, JSON.parse(text) as Stored, 0)
  const landing = {
    ref: 'branch/main',
    head,
    tree,
    system: line.systemState === undefined ? head!.system : rootOfText(line.systemState),
    changed,
    info: infoOf(line.note),
    ...(line.detailState === undefined ? {} : { detail: rootOfText(line.detailState) }),
  }
  const outcome = await journal.run(land(writer(journal), landing))
  if (outcome.kind !== 'done') expect.fail(`the commit was not made: ${outcome.kind}`)
  return outcome.commit
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function linesOf<T>(name: string): readonly T[] {
  const text = readFileSync(new URL(`../../../../fixtures/${name}`, import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as T)
}
