/** How long something still lasts; it counts down by itself. */
import { useEffect, useState } from 'preact/hooks'

export function Until({ moment }: { readonly moment: string }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(ticking)
  }, [])
  const left = Date.parse(moment) - now
  return (
    <time class={left <= 0 ? 'not-held' : ''} dateTime={moment} title={moment}>
      {left <= 0 ? 'over' : `${durationOf(left)} left`}
    </time>
  )
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** In the two largest units: `2 h 5 min`. */
export function durationOf(ms: number): string {
  const first = units.findIndex(([, size]) => ms >= size)
  if (first < 0) return 'less than 1 s'
  const [name, size] = units[first]!
  const rest = units[first + 1]
  const count = Math.floor(ms / size)
  const more = rest === undefined ? 0 : Math.floor((ms - count * size) / rest[1])
  return more === 0 ? `${count} ${name}` : `${count} ${name} ${more} ${rest![0]}`
}
