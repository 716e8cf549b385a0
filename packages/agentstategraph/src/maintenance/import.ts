/**
 * Imports an export.
 *
 * All of it is first imported into a temporary repository, where every id is computed and every writer is checked. Only
 * a complete export is then transferred into the target, like a pull. So damaged or truncated input changes nothing. An
 * import that was interrupted can be run again: commits that exist are not added twice.
 */

import { checkOptions, hexOfId } from '../core/index.ts'
import { type Handle, isAncestor, moveRefs, repoError } from '../repo/index.ts'
import { type Move, readCommit, type Work } from '../store/index.ts'
import { takeFacts } from './exchange/facts.ts'
import { findCommit } from './exchange/known-commits.ts'
import { assertMayReceive } from './exchange/may-receive.ts'

import { type Admitting, type StagedExport, stage } from './exchange/stage.ts'
import { type Transferred, transferAll } from './exchange/transfer.ts'
import { type AnyRepository, type ProgressOptions, progressOptions, writable } from './repository.ts'
import { scanHandle } from './scan-handle.ts'
import { assertNewNamesFree, wayTo } from './sync.ts'

const importRepositoryOptions = progressOptions('importRepository')

/** Imports an export into this repository, which is empty or shares history with the export. */
export async function importRepository(
  repo: AnyRepository,
  lines: AsyncIterable<string> | Iterable<string>,
  options: ProgressOptions = {},
): Promise<void> {
  checkOptions(importRepositoryOptions, options)
  const { onProgress } = options
  const handle = writable(repo, 'importRepository')
  const staged = await stage(handle, lines, admittingTo(handle), onProgress)
  try {
    await assertNotDiverged(handle, staged)
    const moved = await transferAll(staged.handle, scanHandle(handle), ({ via }) => via!, onProgress)
    if (staged.hasFacts) await takeFacts(handle, staged.handle)
    await moveAll(handle, staged, moved)
  } finally {
    await staged.end()
  }
}

/** Permissions and names are checked as soon as the export has named its refs, and at its first fact. */
function admittingTo(handle: Handle): Admitting {
  const { journal } = handle
  return {
    async refs(names) {
      await journal.run(assertMayReceive(handle, names))
      await journal.run(assertNewNamesFree(names))
    },
    facts: () => journal.run(assertMayReceive(handle, [], true)),
  }
}

/** Throws, before anything is written, when a ref of the export has diverged from the ref here. */
async function assertNotDiverged(handle: Handle, { handle: from, refs }: StagedExport): Promise<void> {
  const diverged: string[] = []
  for (const [name, seq] of refs) {
    const { id } = await from.journal.run(readCommit(from.journal, seq))
    const here = await handle.journal.run(findCommit(hexOfId(id)))
    if (here !== undefined) {
      if ((await handle.journal.run(wayTo(handle, name, here))).kind === 'diverged') diverged.push(name)
      continue
    }
    const at = await handle.journal.log.ref(name)
    if (at === null) continue
    const ours = await handle.journal.run(readCommit(handle.journal, at))
    if (!(await from.journal.run(isBehind(from, hexOfId(ours.id), seq)))) diverged.push(name)
  }
  if (diverged.length > 0) throw repoError('refs-diverged', { refs: diverged })
}

function* isBehind(handle: Handle, id: string, head: number): Work<boolean> {
  const seq = yield* findCommit(id)
  if (seq === undefined) return false
  const { journal } = handle
  return yield* isAncestor(handle, yield* readCommit(journal, seq), yield* readCommit(journal, head))
}

/** Moves all refs in one append, and starts again when one of them has moved meanwhile. */
async function moveAll(handle: Handle, { refs }: StagedExport, { seqHere }: Transferred): Promise<void> {
  for (;;) {
    const moves: Move[] = []
    for (const [name, seq] of refs) {
      const to = await seqHere(seq)
      const { kind, at } = await handle.journal.run(wayTo(handle, name, to))
      if (kind === 'diverged') throw repoError('refs-diverged', { refs: [name] })
      if (kind !== 'up-to-date') moves.push({ name, expect: at, to })
    }
    if (moves.length === 0 || 'seq' in (await handle.journal.run(moveRefs(handle, moves)))) return
  }
}
