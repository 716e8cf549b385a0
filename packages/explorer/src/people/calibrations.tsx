/** How sure each agent said it was, against how often it was right. */
import { Answered } from '../parts/said.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { visible } from '../parts/value-text.ts'
import type { Calibration } from '../source/shapes/access.ts'
import { ask } from '../source/source.ts'

/** More agents than that are looked at one by one, with `asg calibration --agent`. */
const MOST_AGENTS = 24

export function Calibrations({ version }: { readonly version: number }) {
  const answer = useAnswer('calibrations', loadAll, version)
  return (
    <Answered
      answer={answer}
      show={found =>
        found.length === 0 ? (
          <div class="empty">
            <p>
              No agent can be judged yet: a commit needs a confidence and an expectation, and an observation of what
              came of it.
            </p>
            <pre>asg observe main --held true --note "The node came back"</pre>
          </div>
        ) : (
          <>
            <p class="hint">
              On the line, an agent was right as often as it said. Below it, it was too sure. A larger dot has more
              outcomes.
            </p>
            <div class="plots">
              {found.map(([agent, calibration]) => (
                <Plot key={agent} agent={agent} calibration={calibration} />
              ))}
            </div>
          </>
        )
      }
    />
  )
}

async function loadAll(signal: AbortSignal): Promise<readonly (readonly [string, Calibration])[]> {
  const { by_agent } = await ask('stats', { ref: 'main' }, signal)
  const names = Object.entries(by_agent)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_AGENTS)
    .map(([name]) => name)
  const all = await Promise.all(names.map(async agent => [agent, await ask('calibration', { agent }, signal)] as const))
  return all.filter(([, { count }]) => count > 0)
}

const SIZE = 200
const EDGE = 36
const FOOT = 6

/** On the line, stated confidence is what happened. Points below it were too sure. */
function Plot({ agent, calibration }: { readonly agent: string; readonly calibration: Calibration }) {
  const bands = calibration.bands.filter(({ count }) => count > 0)
  const at = (share: number): number => EDGE + share * SIZE
  const said = bands.map(
    ({ min, max, count, held }) => `said ${percent(min)} to ${percent(max)}: right ${held} of ${count} times`,
  )
  return (
    <figure class="plot">
      <figcaption>
        <strong>{visible(agent)}</strong> <span class="size">{calibration.count} outcomes</span>{' '}
        <span class="category" title="0 is perfect, 0.25 is guessing">
          Brier score {calibration.brier.toFixed(2)}
        </span>
      </figcaption>
      <svg
        width={SIZE + 2 * EDGE}
        height={SIZE + 2 * EDGE + FOOT}
        role="img"
        aria-label={`Calibration of ${visible(agent)}: ${said.join('; ')}`}
      >
        <rect class="frame" x={EDGE} y={EDGE} width={SIZE} height={SIZE} />
        <path class="edge dashed" d={`M${at(0)} ${at(1)} L${at(1)} ${at(0)}`} />
        {bands.map(({ min, max, count, held }) => (
          <g key={min}>
            <title>{`said ${percent(min)} to ${percent(max)}, right ${held} of ${count} times`}</title>
            <circle
              class={held / count < (min + max) / 2 - 0.1 ? 'below' : 'above'}
              cx={at((min + max) / 2)}
              cy={at(1 - held / count)}
              r={4 + Math.sqrt(count) * 2}
            />
          </g>
        ))}
        {[0, 0.5, 1].map(share => (
          <g key={share} class="tick">
            <text x={at(share)} y={at(1) + 13}>
              {percent(share)}
            </text>
            {share > 0 && (
              <text x={at(0) - 3} y={at(1 - share) + 4} class="end">
                {percent(share)}
              </text>
            )}
          </g>
        ))}
        <text x={EDGE + SIZE / 2} y={SIZE + 2 * EDGE + FOOT - 8}>
          how sure it said
        </text>
        <text x={EDGE} y={EDGE - 10} class="start">
          how often it was right
        </text>
      </svg>
    </figure>
  )
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}
