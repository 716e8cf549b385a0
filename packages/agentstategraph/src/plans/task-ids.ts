/**
 * Numbers for new tasks.
 *
 * Branches of one namespace count together, by a ref whose entry says how far it got: so tasks that two branches add to
 * one plan are different tasks when the branches meet. A number that was reserved and not used is left out.
 */

import {
  bodyOf,
  findRef,
  type Handle,
  moveRefs,
  planPath,
  taskKeyOf,
  taskNumberOf,
  taskNumbersPrefix,
} from '../repo/index.ts'
import { readEntry, type Work } from '../store/index.ts'
import { countOf, entryAt } from '../tree/index.ts'
import { planError } from './errors.ts'
import { containerBelow, type PlanRoot } from './plan-root.ts'

const MAX_NUMBER = 999_999_999

/** Keys for so many new tasks, in order. */
export function* reserveKeys(handle: Handle, root: PlanRoot, count: number): Work<string[]> {
  const { plan } = root
  const name = taskNumbersPrefix + plan
  for (;;) {
    const at = yield* findRef(name)
    const reserved = at === null ? 0 : (bodyOf((yield* readEntry(at)).record, 'ref').tasks ?? 0)
    // What came from another store was counted there.
    const from = Math.max(reserved, yield* lastNumber(root))
    const upTo = from + count
    if (upTo > MAX_NUMBER)
      throw planError('task-invalid', { plan, field: 'number', reason: `${MAX_NUMBER} is the last` })
    const moves = [{ name, expect: at, to: { entry: 0 } }]
    const asked = [{ capability: 'commit' as const, branch: handle.branch, paths: [planPath(plan)] }]
    const outcome = yield* moveRefs(handle, moves, { plan, tasks: upTo }, asked)
    if ('seq' in outcome) return Array.from({ length: count }, (_, i) => taskKeyOf(from + 1 + i))
  }
}

function* lastNumber(root: PlanRoot): Work<number> {
  const tasks = yield* containerBelow(root, ['tasks'])
  if (tasks === undefined || countOf(tasks) === 0) return 0
  return taskNumberOf((yield* entryAt(root.context, tasks, countOf(tasks) - 1))!.key)
}
