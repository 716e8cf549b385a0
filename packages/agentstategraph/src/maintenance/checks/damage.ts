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
  /**
   * Does a step of the check; what is wrong with the store becomes damage of an entry, anything else is thrown. Returns
   * whether the step was done to its end.
   */
  during(seq: number, step: Work<void>): Work<boolean>
}

const damageCodes = new Set(['object-corrupt', 'pack-dropped', 'entry-not-found', 'format-unsupported'])

/** The damage that an error tells of; undefined when it tells of something else. */
export function damageOf(error: unknown): (Damage & { readonly seq: number | undefined }) | undefined {
  if (!isStateError(error)) return undefined
  const { code, message } = error
  const { seq, reason = message, what = '' } = error.data as { seq?: number; reason?: string; what?: string }
  if (code === 'derived-corrupt') return { where: what, what: reason, seq }
  if (code === 'store-damaged') return { where: 'file', what: reason, seq }
  return damageCodes.has(code) ? { where: seq === undefined ? '' : entryName(seq), what: reason, seq } : undefined
}

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
    *during(seq, step): Work<boolean> {
      try {
        yield* step
        return true
      } catch (error) {
        const told = damageOf(error)
        if (told !== undefined) {
          const where = told.where === '' ? entryName(seq) : told.where
          // An error that damage of an older entry causes is not reported again.
          if (told.seq === undefined || told.seq === seq || !damaged.has(where)) add(where, told.what)
        } else if (isMisfit(error)) {
          add(entryName(seq), error.message)
        } else {
          throw error
        }
        return false
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
