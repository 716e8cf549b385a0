/** One row of the history: its lanes, its labels, what was done, by whom, how sure, when. */
import { useMemo } from 'preact/hooks'
import { Agent, Confidence, hueOf, Time } from '../parts/said.tsx'
import { visible } from '../parts/value-text.ts'
import type { Commit } from '../source/shapes/state.ts'
import { labels } from './labels.ts'
import type { LaneRow } from './lanes.ts'

export const ROW_HEIGHT = 34
const LANE_WIDTH = 14
const MOST_LANES = 14

export interface CommitRowProps {
  readonly commit: Commit
  readonly row: LaneRow
  readonly isChosen: boolean
  readonly at: number
}

/** While the list is scrolled, rows that stay are neither made nor compared again. */
export function CommitRow({ commit, row, isChosen, at }: CommitRowProps) {
  const named = labels.value.get(commit.id)
  return useMemo(
    () => (
      <div
        id={`row-${at}`}
        role="option"
        aria-selected={isChosen}
        class={isChosen ? 'row chosen' : 'row'}
        style={{ top: `${at * ROW_HEIGHT}px` }}
        data-at={at}
        tabIndex={-1}
      >
        <Lanes row={row} hue={hueOf(commit.agent)} />
        <span class="what">
          {named?.map(({ kind, name }) => (
            <span key={`${kind} ${name}`} class={`label ${kind}`}>
              {visible(name)}
            </span>
          ))}
          <span class="description">{visible(commit.intent.description)}</span>
        </span>
        <span class="category">{visible(commit.intent.category)}</span>
        {commit.confidence === undefined ? <span class="confidence" /> : <Confidence value={commit.confidence} />}
        <Agent name={commit.agent} />
        <Time at={commit.timestamp} />
      </div>
    ),
    [commit, row, isChosen, at, named],
  )
}

function Lanes({ row, hue }: { readonly row: LaneRow; readonly hue: number }) {
  const shown = (lanes: readonly number[]): readonly number[] => lanes.filter(lane => lane < MOST_LANES)
  const lane = Math.min(row.lane, MOST_LANES)
  const width = (Math.min(Math.max(row.lane, ...row.passing, ...row.leaving, 0), MOST_LANES) + 1) * LANE_WIDTH
  const x = (at: number): number => at * LANE_WIDTH + LANE_WIDTH / 2
  const middle = ROW_HEIGHT / 2
  const curve = (from: number, y: number, to: number, end: number): string =>
    `M${x(from)} ${y} C${x(from)} ${(y + end) / 2} ${x(to)} ${(y + end) / 2} ${x(to)} ${end}`
  return (
    <svg class="lanes" width={width} height={ROW_HEIGHT} aria-hidden="true">
      {shown(row.passing).map(at => (
        <path key={`p${at}`} class={`lane-${at % 6}`} d={`M${x(at)} 0 V${ROW_HEIGHT}`} />
      ))}
      {shown(row.ending).map(at => (
        <path key={`e${at}`} class={`lane-${at % 6}`} d={curve(at, 0, lane, middle)} />
      ))}
      {shown(row.leaving).map(at => (
        <path key={`l${at}`} class={`lane-${at % 6}`} d={curve(lane, middle, at, ROW_HEIGHT)} />
      ))}
      <circle class={`hue-${hue}`} cx={x(lane)} cy={middle} r="4.5" />
    </svg>
  )
}
