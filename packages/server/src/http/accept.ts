/** Checks the Accept header against the media types of an operation, and finds in it which of them is wanted. */
import type { Operation } from '../operations/operation.ts'
import { serverError } from '../wire/errors.ts'
import { lineTypes } from './stream/line-response.ts'

const EVENTS = 'text/event-stream'

export function assertAccepted(accept: string | null, operation: Operation): void {
  if (accept === null || accept.trim() === '') return
  const offered = offeredBy(operation)
  const wanted = wantedIn(accept)
  const isTaken = wanted.some(
    media => media === '*/*' || offered.some(type => type === media || media === `${type.split('/')[0]}/*`),
  )
  if (!isTaken) throw serverError('not-acceptable', { offered })
}

/** Whether the caller asks for events in place of one answer: how far long work is, and then its result. */
export function wantsProgress(accept: string | null, operation: Operation): boolean {
  return hasProgress(operation) && accept !== null && wantedIn(accept).includes(EVENTS)
}

function hasProgress({ stream, cost }: Operation): boolean {
  return stream === undefined && cost === 'maintenance'
}

function offeredBy(operation: Operation): readonly string[] {
  if (operation.stream === 'events') return [EVENTS]
  if (operation.stream === 'lines') return Object.values(lineTypes)
  return hasProgress(operation) ? ['application/json', EVENTS] : ['application/json']
}

function wantedIn(accept: string): readonly string[] {
  return accept.split(',').flatMap(part => {
    const [media = '', ...parameters] = part
      .toLowerCase()
      .split(';')
      .map(text => text.trim())
    return parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter)) ? [] : [media]
  })
}
