/** The calls of tools that a commit was made with: what each was given, and what it answered. */
import { durationOf } from '../parts/until.tsx'
import { WholeValue } from '../parts/value.tsx'
import { visible } from '../parts/value-text.ts'

interface ToolCall {
  readonly name?: unknown
  readonly args?: unknown
  readonly result?: unknown
  readonly started?: string
  readonly ended?: string
}

export function ToolCalls({ tools }: { readonly tools: readonly unknown[] }) {
  return (
    <ul class="found">
      {tools.map((tool, nth) => (
        <li key={`${nth}`}>
          <OneCall call={tool as ToolCall} />
        </li>
      ))}
    </ul>
  )
}

function OneCall({ call }: { readonly call: ToolCall }) {
  const { name, args, result, started, ended } = call
  if (typeof name !== 'string') return <WholeValue value={call} />
  const took = started === undefined || ended === undefined ? undefined : Date.parse(ended) - Date.parse(started)
  return (
    <details>
      <summary>
        <span class="path">{visible(name)}</span> {took !== undefined && `took ${durationOf(took)}`}
      </summary>
      {args !== undefined && <Side title="given" value={args} />}
      {result !== undefined && <Side title="answered" value={result} />}
    </details>
  )
}

function Side({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <>
      <span class="hint">{title}</span>
      <WholeValue value={value} />
    </>
  )
}
