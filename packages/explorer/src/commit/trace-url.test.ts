import { expect, it } from 'vitest'
import { traceUrl } from './trace-url.ts'

const place = 'https://traces.example.org/trace/{trace}'
const id = '4bf92f3577b34da6a3ce929d0e0e4736'

it.each([
  [place, `00-${id}-00f067aa0ba902b7-01`, `https://traces.example.org/trace/${id}`],
  [place, 'run 7/&?', 'https://traces.example.org/trace/run%207%2F%26%3F'],
  [place, '$&', 'https://traces.example.org/trace/%24%26'],
  ['', 'https://other.example.org/run/7', 'https://other.example.org/run/7'],
  ['', id, undefined],
  ['javascript:alert({trace})', id, undefined],
  ['', 'javascript:alert(1)', undefined],
])('at %j the trace %j is at %j', (at, trace, url) => {
  expect(traceUrl(at, trace)).toBe(url)
})
