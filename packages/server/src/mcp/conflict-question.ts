/**
 * Conflicts as a form: which side to keep at each path.
 *
 * It applies to every operation that takes `resolutions` and fails with conflicts; the person's choices become the resolutions of
 * the same call. What a form cannot express (another value, very many paths) needs a second call by the model.
 */
import { createHash } from 'node:crypto'
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import type { Operation } from '../operations/operation.ts'
import type { Fault } from '../wire/faults/fault.ts'
import { plainLine } from './answer/plain-line.ts'

interface Place {
  readonly path: string
  readonly base?: unknown
  readonly ours?: unknown
  readonly theirs?: unknown
}

const ASKED_AT_MOST = 20
const SHOWN_SIDE = 120
const sides = ['ours', 'theirs', 'base'] as const

/** The conflicts of a fault, when the operation takes resolutions. */
export function findConflicts({ input }: Operation, { kind, data }: Fault): readonly Place[] | undefined {
  if (kind !== 'conflict' || !('resolutions' in input.shape)) return undefined
  if (typeof data !== 'object' || data === null || !('conflicts' in data)) return undefined
  return data['conflicts'] as unknown as readonly Place[]
}

export function canBeAsked(places: readonly Place[]): boolean {
  return places.length > 0 && places.length <= ASKED_AT_MOST
}

/** A digest of the question: an answer about other paths or other values does not count. */
export function aboutPlaces(places: readonly Place[]): string {
  const asked = places.map(({ path, base, ours, theirs }) => [path, base ?? null, ours ?? null, theirs ?? null])
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
}

export function conflictQuestion(message: string, places: readonly Place[]): ElicitRequestFormParams {
  return {
    message: `${message} Which side is to be kept?`,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(
        places.map(({ path, base, ours, theirs }, index) => [
          fieldOf(index),
          {
            type: 'string' as const,
            title: plainLine(path),
            description: `ours: ${shown(ours)}; theirs: ${shown(theirs)}; base: ${shown(base)}`,
            enum: [...sides],
          },
        ]),
      ),
      required: places.map((_, index) => fieldOf(index)),
    },
  }
}

/** The person's choices as resolutions; undefined when one is missing. */
export function resolutionsFrom(
  places: readonly Place[],
  content: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> | undefined {
  const chosen = places.map(({ path }, index) => [path, content[fieldOf(index)]] as const)
  if (!chosen.every(([, side]) => sides.some(known => known === side))) return undefined
  return Object.fromEntries(chosen as readonly (readonly [string, string])[])
}

/** How to call again, for clients that cannot ask. */
export function resolutionsHint(tool: string, places: readonly Place[]): string {
  const example = Object.fromEntries(places.slice(0, ASKED_AT_MOST).map(({ path }) => [path, 'ours']))
  return (
    `Nothing was changed. Call ${tool} again with the same arguments and resolutions for every place, each "ours", "theirs", "base" ` +
    `or {"value": …}: ${JSON.stringify(example)}`
  )
}

function fieldOf(index: number): string {
  return `place_${index + 1}`
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : plainLine(JSON.stringify(value), SHOWN_SIDE)
}
