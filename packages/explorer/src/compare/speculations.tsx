/** Speculations side by side: a column each, rows that differ first. One is chosen, with a reason, and committed. */
import { useSignal } from '@preact/signals'
import { tellDone } from '../parts/done.tsx'
import { Answered, Confidence, Fault } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { useAnswer } from '../parts/use-answer.ts'
import { ShortValue } from '../parts/value.tsx'
import { visible } from '../parts/value-text.ts'
import { readWhy, textsIn, WhyFields } from '../parts/why-fields.tsx'
import { go } from '../route.ts'
import type { Comparison, Conflict } from '../source/shapes/choices.ts'
import { ask, can } from '../source/source.ts'
import { Conflicts, type Resolutions } from './conflicts.tsx'
import { conflictsIn } from './conflicts-in.ts'

export function Speculations({ ids }: { readonly ids: readonly string[] }) {
  const answer = useAnswer(`compare ${ids.join(' ')}`, signal => ask('compare', { speculations: ids }, signal))
  return <Answered answer={answer} show={comparison => <SideBySide comparison={comparison} />} />
}

type Column = Comparison['columns'][number]

const nameOf = ({ speculation: { label, id } }: Column): string => label ?? id

function SideBySide({ comparison: { columns, rows } }: { readonly comparison: Comparison }) {
  const chosen = useSignal<string | undefined>(undefined)
  const differing = [...rows.filter(({ agree }) => !agree), ...rows.filter(({ agree }) => agree)]
  const winner = columns.find(({ speculation }) => speculation.id === chosen.value)
  return (
    <>
      <div class="table">
        <table class="compared">
          <thead>
            <tr>
              <th scope="col">path</th>
              <th scope="col">before</th>
              {columns.map(column => (
                <th key={column.speculation.id} scope="col" class={column === winner ? 'winner' : ''}>
                  <div>{visible(nameOf(column))}</div>
                  <Confidence value={column.confidence} />
                  {column.reasoning !== undefined && <p class="prose">{visible(column.reasoning)}</p>}
                  {can('commit_spec') && (
                    <button
                      type="button"
                      aria-pressed={column === winner}
                      onClick={() => (chosen.value = column.speculation.id)}
                    >
                      Choose {visible(nameOf(column))}
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {differing.map(({ path, values, agree, ...row }) => (
              <tr key={path} class={agree ? 'agree' : 'differ'}>
                <th scope="row" class="path">
                  {visible(path)}
                </th>
                <td>{'base' in row ? <ShortValue value={row.base} /> : <span class="empty">nothing</span>}</td>
                {values.map((value, nth) => (
                  <td key={columns[nth]?.speculation.id} class={columns[nth] === winner ? 'winner' : ''}>
                    <ShortValue value={value} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length === 0 && <p class="empty">None of them changed anything yet.</p>}
      {winner !== undefined && (
        <Choose key={winner.speculation.id} winner={winner} others={columns.filter(one => one !== winner)} />
      )}
    </>
  )
}

function Choose({ winner, others }: { readonly winner: Column; readonly others: readonly Column[] }) {
  const { isBusy, error, act } = useAct()
  const conflicts = useSignal<readonly Conflict[]>([])
  const resolutions = useSignal<Resolutions>({})
  const { speculation } = winner

  const commit = (form: HTMLFormElement): Promise<void> =>
    act(async () => {
      const said = textsIn(form)
      const alternatives = others.map(({ speculation: { id, label = id } }) => ({
        label,
        speculation: id,
        ...(said[`not ${id}`] === undefined ? {} : { why_not: said[`not ${id}`] }),
      }))
      try {
        const landed = await ask('commit_spec', {
          id: speculation.id,
          ...readWhy(form),
          alternatives,
          ...(conflicts.value.length > 0 ? { resolutions: resolutions.value } : {}),
        })
        if (said['discard'] === 'on')
          for (const { speculation: other } of others) await ask('discard', { id: other.id })
        tellDone(`Committed “${nameOf(winner)}” to ${speculation.branch}.`, landed.seq)
        go({ view: 'commit', ref: landed.id })
      } catch (caught) {
        conflicts.value = conflictsIn(caught)
        throw caught
      }
    })

  return (
    <form
      class="panel"
      onSubmit={event => {
        event.preventDefault()
        void commit(event.currentTarget)
      }}
    >
      <h3>
        Commit “{visible(nameOf(winner))}” to {visible(speculation.branch)}
      </h3>
      <WhyFields about="Why this one" />
      {others.map(other => (
        <label key={other.speculation.id}>
          Why not “{visible(nameOf(other))}” <input name={`not ${other.speculation.id}`} />
        </label>
      ))}
      {can('discard') && others.length > 0 && (
        <label class="check">
          <input type="checkbox" name="discard" defaultChecked /> Discard the others; the commit keeps them as
          alternatives
        </label>
      )}
      {conflicts.value.length > 0 && (
        <Conflicts
          conflicts={conflicts.value}
          resolutions={resolutions.value}
          names={{ ours: speculation.branch, theirs: nameOf(winner) }}
          onResolve={now => (resolutions.value = now)}
        />
      )}
      {error.value !== undefined && <Fault error={error.value} />}
      <button type="submit" class="main" disabled={isBusy.value}>
        Commit
      </button>
    </form>
  )
}
