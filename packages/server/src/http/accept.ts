/** Checks the Accept header against the media types of an operation. */
import type { Operation } from '../operations/operation.ts'
import { serverError } from '../wire/errors.ts'
import { lineTypes } from './stream/line-response.ts'

export function assertAccepted(accept: string | null, { stream }: Operation): void {
  if (accept === null || accept.trim() === '') return
  const offered =
    stream === 'events' ? ['text/event-stream'] : stream === 'lines' ? Object.values(lineTypes) : ['application/json']
  const wanted = accept.split(',').flatMap(part => {
    const [media = '', ...parameters] = part
      .toLowerCase()
      .split(';')
      .map(text => text.trim())
    return parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter)) ? [] : [media]
  })
  const isTaken = wanted.some(
    media => media === '*/*' || offered.some(type => type === media || media === `${type.split('/')[0]}/*`),
  )
  if (!isTaken) throw serverError('not-acceptable', { offered })
}
