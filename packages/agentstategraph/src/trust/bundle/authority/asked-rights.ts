/**
 * The rights that a commit took, as far as its entry tells: which capabilities, on which branch, at which paths.
 *
 * Where a store looks at the states (a list whose elements shifted, a branch at an imported commit) an entry says less.
 */

import {
  branchPrefix,
  changedPath,
  draftPrefix,
  grantNameOf,
  mainBranch,
  metaKey,
  proposalPrefix,
} from '../../../repo/index.ts'
import type { CommitRecord, EntryRecord } from '../../../store/index.ts'
import { fieldsOf, isText } from '../format.ts'
import type { Asked } from './carried-access.ts'

export interface AskedRight extends Asked {
  /** Whether the path stands for an unknown part of what is below it. */
  readonly isFolded: boolean
}

/** A branch or thread that a commit comes to, or is meant for. */
export interface Target {
  readonly branch: string
  /** Whether the commit creates it. */
  readonly isNew: boolean
}

/** Where a commit comes to. None is a ref of the system, whose commits concern everything. */
export function targetsOf({ moves, body }: EntryRecord): readonly Target[] {
  const own = moves.filter(([, , to]) => to === 0)
  const landing = own.flatMap(([ref, from]) => targetsAt(grantNameOf(ref), from === null))
  if (landing.length > 0) return landing
  const { speculation, proposal } = fieldsOf(body) ?? {}
  const isOn = (prefix: string): boolean => own.some(([ref]) => ref.startsWith(prefix))
  if (isOn(draftPrefix)) return targetsAt(fieldsOf(speculation)?.['branch'], false)
  if (!isOn(proposalPrefix)) return []
  const { ref, head } = fieldsOf(proposal) ?? {}
  return targetsAt(isText(ref) ? grantNameOf(ref) : undefined, head === 0)
}

function targetsAt(branch: unknown, isNew: boolean): readonly Target[] {
  return isText(branch) ? [{ branch, isNew }] : []
}

/** Whether a commit is a proposal that did not land. */
export function isProposed({ moves }: EntryRecord): boolean {
  const own = moves.filter(([, , to]) => to === 0).map(([ref]) => ref)
  return own.every(ref => grantNameOf(ref) === undefined) && own.some(ref => ref.startsWith(proposalPrefix))
}

/** Undefined when a path of the entry is none. */
export function askedBy(entry: EntryRecord, commit: CommitRecord, mayBePropose: boolean): AskedRight[] | undefined {
  const places = findPlaces(entry.changed ?? [])
  if (places === undefined) return undefined
  const targets = targetsOf(entry)
  const asked: AskedRight[] = []
  for (const { branch, isNew } of targets) {
    const write = writeCapabilities(commit.parents.length, isNew)
    if (places.length === 0) asked.push({ capabilities: write, branch, path: undefined, isFolded: false })
    for (const { segments: path, isFolded } of places) {
      asked.push({ capabilities: path[0] === metaKey ? ['migrate'] : write, branch, path, isFolded })
    }
    if (isNew && branch !== mainBranch && entry.moves.some(([ref, , to]) => to === 0 && ref === branchPrefix + branch))
      asked.push({ capabilities: ['branch'], branch, path: undefined, isFolded: false })
  }
  if (targets.length === 0)
    asked.push({ capabilities: ['commit', 'merge'], branch: undefined, path: undefined, isFolded: false })
  const isWrite = asked.every(({ capabilities: [first] }) => first === 'commit' || first === 'merge')
  if (!mayBePropose || !isWrite) return asked
  return asked.map(one => ({ ...one, capabilities: [...one.capabilities, 'propose'] }))
}

/** A commit on a new branch may have been made as a commit or as a merge of what it starts from. */
function writeCapabilities(parents: number, isNew: boolean): readonly string[] {
  if (isNew) return parents === 0 ? ['commit'] : ['commit', 'merge']
  return parents > 1 ? ['merge'] : ['commit']
}

function findPlaces(changed: readonly string[]): ReturnType<typeof changedPath>[] | undefined {
  const isPath = (path: string): boolean =>
    path === '' || path === '[""]' || (path.startsWith('/') && !/~(?![01])/.test(path))
  return changed.every(isPath) ? changed.map(changedPath) : undefined
}
