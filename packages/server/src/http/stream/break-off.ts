/** How streams end before their source does: events with an event `fault`, lines with the connection. */
import { faultOf } from '../../wire/faults/fault.ts'
import { problemOf } from '../problem.ts'
import type { StreamOptions } from './options.ts'

export type Controller = ReadableStreamDefaultController<Uint8Array>

/** How long the last event waits before the connection is destroyed: for a reader that stalled, and at shutdown. */
export const stalledLingerMs = 30_000
export const endingLingerMs = 1000

const encoder = new TextEncoder()

/** Ends events whose reader has not taken the last one. */
export function breakOff(controller: Controller, error: Error, lingerMs: number, cut: StreamOptions['cut']): void {
  endWith(controller, problemOf(faultOf(error)))
  if (cut !== undefined) setTimeout(cut, lingerMs).unref()
}

/** Ends events with an event `fault`. */
export function endWith(controller: Controller, problem: unknown): void {
  controller.enqueue(encoder.encode(`event: fault\ndata: ${JSON.stringify(problem)}\n\n`))
  controller.close()
}

/** Ends lines, so that nobody takes a part for the whole. */
export function abort(controller: Controller, error: unknown, cut: StreamOptions['cut']): void {
  if (cut === undefined) controller.error(error)
  else cut()
}
