/** Time, ids and luck of runs: those of the repository where there is one, those of the runtime otherwise. */

import { hashText, hexOfId, randomId } from '../../../core/index.ts'
import type { Journal } from '../../../store/index.ts'
import { waitFor } from '../../engine/flow/wait.ts'
import type { RunSources } from './request.ts'

export function runSources(journal: Journal | undefined): RunSources {
  const newId = journal?.ids ?? (() => randomId())
  return { now: journal?.now ?? Date.now, newId, random: () => fractionOf(newId()), wait: waitFor }
}

/** A number from 0 up to 1 that follows from an id, so that whoever hands in ids can repeat a run. */
function fractionOf(id: string): number {
  return Number.parseInt(hexOfId(hashText(id)).slice(0, 12), 16) / 2 ** 48
}
