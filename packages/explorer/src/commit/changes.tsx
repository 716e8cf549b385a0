/** What a commit changed, place by place; inside long texts, what differs. */
import { BlameLink, PathLinks } from '../parts/path-links.tsx'
import { ShortValue, WholeValue } from '../parts/value.tsx'
import { shortened, visible } from '../parts/value-text.ts'
import type { Change } from '../source/shapes/state.ts'
import { diffTexts } from './text-diff.ts'

const MOST_SHOWN = 200
const LONG_TEXT = 60
/** Equal text around a difference. */
const CONTEXT_LINES = 3
const CONTEXT = 80
/** Longer texts are cut. */
const MOST_CHANGED = 2000

export function Changes({
  changes,
  at,
  before,
}: {
  readonly changes: readonly Change[]
  readonly at: string
  readonly before: string | undefined
}) {
  if (changes.length === 0) return <p class="empty">The state is the same as before.</p>
  return (
    <ul class="changes">
      {changes.slice(0, MOST_SHOWN).map(change => (
        <li key={`${change.op} ${change.path}`} class={change.op}>
          <div class="change-head">
            <span class="op">{words[change.op]}</span>
            <PathLinks path={change.path} at={change.op === 'remove' ? (before ?? at) : at} />
            <BlameLink path={change.path} at={change.op === 'remove' ? (before ?? at) : at} />
          </div>
          <Sides change={change} />
        </li>
      ))}
      {changes.length > MOST_SHOWN && <li>and {changes.length - MOST_SHOWN} more</li>}
    </ul>
  )
}

const words: Readonly<Record<Change['op'], string>> = {
  add: 'added',
  remove: 'removed',
  change: 'changed',
  move: 'moved',
}

function Sides({ change: { op, from, before, after } }: { readonly change: Change }) {
  if (op === 'add') return <Whole value={after} side="after" />
  if (op === 'remove') return <Whole value={before} side="before" />
  if (op === 'move') return <p>from {visible(from ?? '')}</p>
  if (typeof before === 'string' && typeof after === 'string' && Math.max(before.length, after.length) > LONG_TEXT) {
    return <TextChange before={before} after={after} />
  }
  return (
    <p class="sides">
      <span class="before">
        <ShortValue value={before} />
      </span>
      <span aria-hidden="true"> → </span>
      <span class="after">
        <ShortValue value={after} />
      </span>
    </p>
  )
}

function Whole({ value, side }: { readonly value: unknown; readonly side: 'before' | 'after' }) {
  const isContainer = typeof value === 'object' && value !== null
  return <div class={side}>{isContainer ? <WholeValue value={value} /> : <ShortValue value={value} />}</div>
}

function TextChange({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = diffTexts(before, after)
  return (
    <pre class="text-change">
      {parts.map(({ kind, text }, nth) => {
        const key = `${nth}`
        if (kind === 'same') return <span key={key}>{visible(nextTo(text, nth === 0, nth === parts.length - 1))}</span>
        const shown = visible(shortened(text, MOST_CHANGED))
        return kind === 'added' ? <ins key={key}>{shown}</ins> : <del key={key}>{shown}</del>
      })}
    </pre>
  )
}

/** Of an equal text, what is next to a difference: some lines, or some characters of lines that are long. */
function nextTo(text: string, isFirst: boolean, isLast: boolean): string {
  const lines = text.split(/(?<=\n)/)
  const head = isFirst ? [] : lines.slice(0, CONTEXT_LINES)
  const tail = isLast ? [] : lines.slice(-CONTEXT_LINES)
  const left = lines.length - head.length - tail.length
  const shown = left <= 1 ? text : `${head.join('')}… ${left} lines are the same …\n${tail.join('')}`
  return shown.length <= MOST_CHANGED ? shown : `${shown.slice(0, CONTEXT)} … ${shown.slice(-CONTEXT)}`
}
