/**
 * The metrics of the server, in the text format of Prometheus.
 *
 * Labels are names of operations and statuses. Neither comes from a request, so their number is bounded.
 */
export interface Metrics {
  answered(operation: string, status: number, seconds: number): void
  /** Counts an active request until the returned function is called. */
  begun(): () => void
  /** Counts an open stream until the returned function is called. */
  streamOpened(): () => void
  text(): string
}

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Durations {
  readonly counts: number[]
  sum: number
  count: number
}

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

export function newMetrics(): Metrics {
  const requests = new Map<string, number>()
  const durations = new Map<string, Durations>()
  const open = { requests: 0, streams: 0 }

  return {
    answered(operation, status, seconds) {
      const labels = `operation="${operation}",status="${status}"`
      requests.set(labels, (requests.get(labels) ?? 0) + 1)
      const known = durations.get(operation) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 }
      durations.set(operation, known)
      const place = bounds.findIndex(bound => seconds <= bound)
      if (place >= 0) known.counts[place]!++
      known.sum += seconds
      known.count++
    },
    begun: () => counted(open, 'requests'),
    streamOpened: () => counted(open, 'streams'),
    text: () => `${[...requestLines(requests), ...durationLines(durations), ...openLines(open)].join('\n')}\n`,
  }
}

function counted<K extends string>(open: Record<K, number>, what: K): () => void {
  open[what]++
  let isOver = false
  return () => {
    if (!isOver) open[what]--
    isOver = true
  }
}

function* requestLines(requests: ReadonlyMap<string, number>): Generator<string> {
  yield '# HELP asg_http_requests_total Requests that were answered.'
  yield '# TYPE asg_http_requests_total counter'
  for (const [labels, count] of requests) yield `asg_http_requests_total{${labels}} ${count}`
}

function* durationLines(durations: ReadonlyMap<string, Durations>): Generator<string> {
  yield '# HELP asg_http_request_duration_seconds Time until an answer began.'
  yield '# TYPE asg_http_request_duration_seconds histogram'
  for (const [operation, { counts, sum, count }] of durations) {
    let below = 0
    for (const [place, bound] of bounds.entries()) {
      below += counts[place]!
      yield `asg_http_request_duration_seconds_bucket{operation="${operation}",le="${bound}"} ${below}`
    }
    yield `asg_http_request_duration_seconds_bucket{operation="${operation}",le="+Inf"} ${count}`
    yield `asg_http_request_duration_seconds_sum{operation="${operation}"} ${sum}`
    yield `asg_http_request_duration_seconds_count{operation="${operation}"} ${count}`
  }
}

function* openLines({ requests, streams }: { readonly requests: number; readonly streams: number }): Generator<string> {
  yield '# HELP asg_http_requests_open Requests that are under way.'
  yield '# TYPE asg_http_requests_open gauge'
  yield `asg_http_requests_open ${requests}`
  yield '# HELP asg_http_streams_open Answers that go on streaming.'
  yield '# TYPE asg_http_streams_open gauge'
  yield `asg_http_streams_open ${streams}`
}
