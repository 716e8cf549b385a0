/** What an event of a task says, in one line. */
import { shortened } from '../parts/value-text.ts'
import type { MemoryEvent } from '../source/shapes/work.ts'

export function saidIn({ kind, ...event }: MemoryEvent): string {
  switch (kind) {
    case 'start':
      return event.input === undefined ? '' : shortText(event.input)
    case 'action':
      return shortened(event.thinking ?? event.code ?? '')
    case 'output':
      return shortText(event.parts)
    case 'error':
      return event.error?.message ?? ''
    case 'custom':
      return `${event.name ?? ''} ${shortText(event.data)}`
    case 'success':
      return event.result === undefined ? '' : shortText(event.result)
    default:
      return event.message ?? ''
  }
}

function shortText(value: unknown): string {
  return shortened(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}
