/** What a repository answers about a branch, laid beside what the model says. */
import { expect } from 'vitest'
import { encode, formatPath, type Path } from '../../../../src/core/index.ts'
import type { Repository, Snapshot } from '../../../../src/repository/index.ts'
import { isList, type Known, plainOfKnown } from '../../../tree/support/known.ts'
import { plainOf, plainText } from '../../../tree/support/plain.ts'
import { headOf, logOf, type Model, type ModelCommit } from './model.ts'

/** A part of the state, by path, root first. */
type Place = readonly [path: readonly string[], known: Known, isInList: boolean]

/** The value, the log, and who wrote each part. */
export async function expectSame(model: Model, repo: Repository, branch: string): Promise<void> {
  const reader = repo.on(branch)
  const head = headOf(model, branch)
  expect((await reader.head()).id).toBe(head.id)
  expect(textOf(await reader.get('/'))).toBe(plainText(plainOfKnown(head.known)))
  const log = await reader.log()
  expect(log.map(({ id, intent, parents }) => ({ id, says: intent.description, parents }))).toEqual(
    logOf(model, model.branches.get(branch)!).map(commit => ({
      id: commit.id,
      says: commit.description,
      parents: commit.parents.map(n => model.commits[n]!.id),
    })),
  )
  await expectBlame(model, reader, head)
}

/** Every branch and tag, the history of every path at their heads, and the state and writers at every commit. */
export async function expectAllSame(model: Model, repo: Repository): Promise<void> {
  const idsOf = (refs: ReadonlyMap<string, number>): object[] =>
    [...refs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, n]) => ({ name, id: model.commits[n]!.id }))
  expect(await repo.branches()).toEqual(idsOf(model.branches))
  expect(await repo.tags()).toEqual(idsOf(model.tags))
  const open = [...model.speculations.values()].map(({ id }) => id)
  expect((await repo.speculations()).map(({ id }) => id)).toEqual(open.sort())
  for (const branch of model.branches.keys()) {
    await expectSame(model, repo, branch)
    for (const [path] of placesOf(headOf(model, branch).known)) {
      if (path.length === 0) continue
      const history = await repo.on(branch).history(path)
      expect({ path, ids: history.map(({ id }) => id) }).toEqual({
        path,
        ids: historyOf(model, [model.branches.get(branch)!], path).map(({ id }) => id),
      })
    }
  }
  for (const commit of model.commits) await expectBlame(model, repo.at({ id: commit.id }), commit)
}

async function expectBlame(model: Model, reader: Repository | Snapshot, at: ModelCommit): Promise<void> {
  const said: unknown[] = []
  const known: unknown[] = []
  for (const [path, part, isInList] of placesOf(at.known)) {
    const { id, value, draft } = await reader.blame(path as Path)
    const writer = path.length === 0 ? rootWriter(model, at) : model.commits[part.writer]!
    // A container of a landed speculation can be the merge's own, and of equal elements any can be the new one.
    const isOpen = path.length === 0 || (writer.lands === 'a speculation' && (isInList || !isLeaf(part)))
    said.push({ path: formatPath(path), by: id, value: textOf(value), hasDraft: isOpen || draft !== undefined })
    known.push({
      path: formatPath(path),
      by: writer.id,
      value: plainText(plainOfKnown(part)),
      hasDraft: isOpen || writer.lands !== 'nothing',
    })
  }
  expect(said).toEqual(known)
  const leaves = placesOf(at.known).filter(([path, part]) => path.length > 0 && isLeaf(part))
  expect((await reader.blameTree()).map(({ path, id }) => ({ path, id }))).toEqual(
    leaves.map(([path, { writer }]) => ({ path: formatPath(path), id: model.commits[writer]!.id })),
  )
}

function isLeaf({ part }: Known): boolean {
  return !isList(part) && !(part instanceof Map)
}

/** All parts of a state, in the order of reading: maps by key, lists by place. */
function placesOf(known: Known, path: readonly string[] = [], isInList = false): Place[] {
  const isBelowList = isInList || isList(known.part)
  const below = childrenOf(known).flatMap(([key, child]) => placesOf(child, [...path, key], isBelowList))
  return [[path, known, isInList], ...below]
}

function childrenOf({ part }: Known): (readonly [string, Known])[] {
  if (isList(part)) return part.map((element, n) => [`${n}`, element])
  if (!(part instanceof Map)) return []
  return [...(part as ReadonlyMap<string, Known>)].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The newest commit on the way back that the root differs in from all parents. */
function rootWriter(model: Model, at: ModelCommit): ModelCommit {
  const text = plainText(plainOfKnown(at.known))
  const equal = at.parents.map(n => model.commits[n]!).find(({ known }) => plainText(plainOfKnown(known)) === text)
  return equal === undefined ? at : rootWriter(model, equal)
}

/** The writer of a path in the first commit that has it, or the newest deletion behind them; then the same from its parents. */
function historyOf(model: Model, from: readonly number[], path: readonly string[]): ModelCommit[] {
  const known = from.map(n => findKnown(model.commits[n]!.known, path)).find(one => one !== undefined)
  const found = known === undefined ? deletionOf(model, from, path) : model.commits[known.writer]!
  return found === undefined ? [] : [found, ...historyOf(model, found.parents, path)]
}

/** The newest commit at or behind some that lacks a path which all of its parents have. */
function deletionOf(model: Model, from: readonly number[], path: readonly string[]): ModelCommit | undefined {
  const behind = new Set(from)
  for (const n of behind) for (const parent of model.commits[n]!.parents) behind.add(parent)
  const has = (n: number): boolean => findKnown(model.commits[n]!.known, path) !== undefined
  const isDeletion = (n: number): boolean => {
    const { parents } = model.commits[n]!
    return parents.length > 0 && !has(n) && parents.every(has)
  }
  const deletions = [...behind].filter(isDeletion).map(n => model.commits[n]!)
  return deletions.sort((a, b) => b.seq - a.seq)[0]
}

function findKnown(known: Known, path: readonly string[]): Known | undefined {
  let at: Known | undefined = known
  for (const segment of path) {
    at = at === undefined ? undefined : childrenOf(at).find(([key]) => key === segment)?.[1]
  }
  return at
}

export function textOf(value: unknown): string {
  return plainText(plainOf(encode(value)))
}
