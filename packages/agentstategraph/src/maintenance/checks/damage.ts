/** Collects the damage that `verify` finds. Each finding is reported once, and the check continues. */

import { isStateError } from '../../core/index.ts'
import type { Work } from '../../store/index.ts'

/** One thing that is damaged: where it is, and what is wrong with it. */
export interface Damage {
  readonly where: string
  readonly what: string
}

export interface DamageList {
  readonly found: readonly Damage[]
  add(where: string, what: string): void
  isDamaged(seq: number): boolean
  /** Does a step of the check; what is wrong with the store becomes damage of an entry, anything else is thrown. */
  during(seq: number, step: Work<void>): Work<void>
}

const damageCodes = new Set(['object-corrupt', 'pack-dropped', 'entry-not-found', 'format-unsupported'])

export function damageList(): DamageList {
  const found: Damage[] = []
  const known = new Set<string>()
  const damaged = new Set<string>()
  const add = (where: string, what: string): void => {
    const line = `${where}: ${what}`
    if (known.has(line)) return
    known.add(line)
    damaged.add(where)
    found.push({ where, what })
  }
  return {
    found,
    add,
    isDamaged: seq => damaged.has(entryName(seq)),
    *during(seq, step): Work<void> {
      try {
        yield* step
      } catch (error) {
        if (isStateError(error)) {
          if (!damageCodes.has(error.code)) throw error
          const { seq: at = seq, reason = error.message } = error.data as { seq?: number; reason?: string }
          // An error that damage of an older entry causes is not reported again.
          if (at === seq || !damaged.has(entryName(at))) add(entryName(at), reason)
        } else if (isMisfit(error)) {
          add(entryName(seq), error.message)
        } else {
          throw error
        }
      }
    },
  }
}

export function entryName(seq: number): string {
  return `entry ${seq}`
}

/** Whether an error is one that reading corrupted bytes ends in. */
export function isMisfit(error: unknown): error is Error {
  return error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError
}
