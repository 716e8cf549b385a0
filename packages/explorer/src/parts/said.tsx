/** Small pieces that say something in the same way everywhere: agents, confidence, times, faults. */
import type { ComponentChildren } from 'preact'
import { Refusal } from '../source/refusal.ts'
import type { Answer } from './use-answer.ts'
import { visible } from './value-text.ts'

const HUES = 12

/** An agent has the same colour in every view: by FNV-1a, so that names that are alike differ in it. */
export function hueOf(agent: string): number {
  let hash = 0x811c9dc5
  for (const unit of agent) hash = Math.imul(hash ^ unit.charCodeAt(0), 0x01000193) >>> 0
  return hash % HUES
}

export function Agent({ name }: { readonly name: string }) {
  return <span class={`agent hue-${hueOf(name)}`}>{visible(name)}</span>
}

export function Confidence({ value }: { readonly value: number | undefined }) {
  if (value === undefined) return null
  const percent = Math.round(value * 100)
  const level = value < 0.5 ? 'low' : value < 0.8 ? 'middle' : 'high'
  return (
    <span class={`confidence ${level}`} title={`Stated confidence: ${value}`}>
      {percent}% sure
    </span>
  )
}

const shortTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** In the zone of the reader, with UTC on hover. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={`${at.replace('T', ' ').replace('Z', '')} UTC`}>
      {shortTime.format(new Date(at))}
    </time>
  )
}

export function Fault({ error }: { readonly error: Error }) {
  return (
    <div class="fault" role="alert">
      <p>{visible(error.message)}</p>
      {error instanceof Refusal && error.hint !== undefined && <p class="hint">{visible(error.hint)}</p>}
    </div>
  )
}

/** An answer that is on its way, failed or here. */
export function Answered<T>({ answer, show }: { readonly answer: Answer<T>; show(value: T): ComponentChildren }) {
  if (answer.kind === 'waiting') return <p class="waiting">Loading…</p>
  if (answer.kind === 'failed') return <Fault error={answer.error} />
  return <>{show(answer.value)}</>
}

export function shortId(id: string): string {
  return id.slice(0, 12)
}
