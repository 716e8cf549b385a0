/**
 * The result of a node, from what its function returned.
 *
 * An object is an update, a Command is an update with targets, undefined is no update. Whether an update fits the state is
 * not checked here.
 */

import { graphError } from '../../errors.ts'
import type { Update } from '../../model/compiled-plan.ts'
import type { Target } from '../../model/run-protocol.ts'
import { Command, Send, SendBatch } from '../../model/targets.ts'
import { frozen } from '../../state/frozen.ts'
import type { EngineScope } from './engine-scope.ts'
import { targetsFrom } from './route.ts'

export interface NodeResult {
  readonly updates: readonly Update[]
  readonly goto?: readonly Target[] | undefined
  /** Updates and targets are for the parent graph. */
  readonly isForParent: boolean
}

export function nodeResultFrom({ plan, around }: EngineScope, node: string, returned: unknown): NodeResult {
  if (!(returned instanceof Command)) return { updates: updatesFrom(node, returned), isForParent: false }
  const isForParent = returned.graph === 'parent'
  if (isForParent && around === undefined) throw graphError('parent-missing', { node })
  const updates = updatesFrom(node, returned.update)
  if (returned.goto === undefined) return { updates, isForParent }
  return { updates, goto: targetsFrom(isForParent ? around! : plan, node, returned.goto), isForParent }
}

function updatesFrom(node: string, returned: unknown): readonly Update[] {
  if (returned === undefined) return []
  const isWay = returned instanceof Send || returned instanceof SendBatch
  if (typeof returned === 'object' && returned !== null && !Array.isArray(returned) && !isWay) {
    // The node may keep the object and write to it; what is kept, emitted and cached must not change.
    return [frozen(returned as Update)]
  }
  const message = isWay
    ? 'A node sends by returning a Command with goto.'
    : `It returned ${nameOf(returned)}, no object.`
  throw graphError('update-invalid', { node, issues: [{ field: '', path: '/', message }] })
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
