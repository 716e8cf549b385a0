/** The intent of a step's commit: its agent, its parent, and what ran. The input of a run is the parent of its steps. */

import { utf8Length } from '../../../core/index.ts'
import type { Handle, Landing } from '../../../repo/index.ts'
import type { StoredCommit } from '../../../store/index.ts'
import type { Step } from '../../model/run-protocol.ts'
import type { Drafts } from './steps.ts'

/** The intent of the run that a step belongs to. */
export function runIntent({ record: { intent } }: StoredCommit): string {
  return intent.category === INPUT_CATEGORY ? intent.id : (intent.parent ?? intent.id)
}

const INPUT_CATEGORY = 'Checkpoint'
const STEP_CATEGORY = 'Refine'

export function stepInfo(
  { journal, who }: Handle,
  step: Pick<Step, 'cause' | 'tasks'>,
  drafts: Drafts,
  intent: string | undefined,
): Landing['info'] {
  const isInput = step.cause === 'input'
  return {
    agent: who.agent,
    intent: {
      id: journal.ids(),
      parent: isInput ? who.intent : intent,
      category: isInput ? INPUT_CATEGORY : STEP_CATEGORY,
      description: describe(step, drafts),
      tags: who.tags.length === 0 ? undefined : who.tags,
    },
    trace: who.trace,
  }
}

const SHOWN_NAMES = 8
const SHOWN_CHARACTERS = 96
const MAX_BYTES = 1024

/** One line about a step: the nodes that ran, how often, and in which attempt. */
function describe({ cause, tasks }: Pick<Step, 'cause' | 'tasks'>, { names, numbers }: Drafts): string {
  if (cause === 'input') return 'Input'
  const counts = new Array<number>(names.length + 1).fill(0)
  for (const number of numbers) counts[number]!++
  const ran = names.map(({ label }, i) => {
    const short = label.length > SHOWN_CHARACTERS ? `${[...label].slice(0, SHOWN_CHARACTERS).join('')}…` : label
    return counts[i + 1] === 1 ? short : `${short} × ${counts[i + 1]}`
  })
  const more = ran.length > SHOWN_NAMES ? ` and ${ran.length - SHOWN_NAMES} more` : ''
  const text = `${ran.slice(0, SHOWN_NAMES).join(', ')}${more}`
  const prefix = cause === 'update' ? 'Update' : cause === 'merge' ? 'Merge a run' : ''
  const line = prefix === '' ? text : text === '' ? prefix : `${prefix}: ${text}`
  if (line === '') return `No node (${tasks.length})`
  return utf8Length(line) > MAX_BYTES ? `${tasks.length} tasks` : line
}
