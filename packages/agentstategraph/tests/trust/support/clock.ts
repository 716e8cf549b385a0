/** A clock that goes on by a second each time it is asked. */
export function counter(): () => Date {
  let time = Date.UTC(2026, 3, 6)
  return () => {
    time += 1000
    return new Date(time)
  }
}
