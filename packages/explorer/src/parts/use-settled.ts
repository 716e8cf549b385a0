/** A value once it has stayed for a moment: what is passed over while a key is held is not asked for. */
import { useEffect, useState } from 'preact/hooks'

const SETTLED_MS = 60

export function useSettled<T>(value: T): T {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const waiting = setTimeout(() => settle(value), SETTLED_MS)
    return () => clearTimeout(waiting)
  }, [value])
  return settled
}
