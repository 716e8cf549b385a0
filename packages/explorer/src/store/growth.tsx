/** Commits by day, for the last weeks in which there were any. */
import { Answered } from '../parts/said.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import type { Activity } from '../source/shapes/store.ts'
import { ask } from '../source/source.ts'

const DAYS = 60
const HEIGHT = 90
const BAR = 14

export function Growth({ version }: { readonly version: number }) {
  const answer = useAnswer('activity', signal => ask('activity', { by: 'day', limit: DAYS }, signal), version)
  return (
    <Answered
      answer={answer}
      show={({ periods }) => {
        if (periods.length === 0) return <p class="empty">Nothing was written yet.</p>
        const days = periods.toReversed()
        const most = Math.max(...days.map(({ commits }) => commits))
        const said = days.map(({ start, commits }) => `${dayOf(start)}: ${commits}`).join(', ')
        return (
          <div class="drawing">
            <svg
              width={days.length * BAR}
              height={HEIGHT}
              viewBox={`0 0 ${days.length * BAR} ${HEIGHT}`}
              role="img"
              aria-label={`Commits by day. ${said}`}
            >
              {days.map(({ start, commits }, nth) => {
                const height = Math.max(2, (commits / most) * HEIGHT)
                return (
                  <rect class="bar" key={start} x={nth * BAR} y={HEIGHT - height} width={BAR - 3} height={height}>
                    <title>{`${dayOf(start)}: ${commits.toLocaleString()} commits`}</title>
                  </rect>
                )
              })}
            </svg>
            <p class="hint">{inWords(days)}</p>
          </div>
        )
      }}
    />
  )
}

function inWords(days: Activity['periods']): string {
  const [first, last] = [days[0]!, days.at(-1)!]
  const counts = days.map(({ commits }) => commits)
  if (first === last) return `${counts[0]!.toLocaleString()} commits, all on ${dayOf(first.start)}`
  const most = Math.max(...counts).toLocaleString()
  return `${days.length} days with commits from ${dayOf(first.start)} to ${dayOf(last.start)}; at most ${most} a day`
}

function dayOf(start: string): string {
  return start.slice(0, 10)
}
