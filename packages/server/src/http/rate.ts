/**
 * How much one caller may do in a time: a bucket of tokens for each, refilled steadily.
 *
 * A bucket that is full again is as good as none, so only those asked for last are kept: a fixed number of them.
 */
export interface Rate {
  readonly perMinute: number
  /** How many may come at once. */
  readonly burst: number
}

export interface Buckets {
  /** Takes one token: 0 when there was one, else the seconds until there is. */
  take(key: string): number
}

interface Bucket {
  tokens: number
  at: number
}

const MAX_BUCKETS = 10_000
const MINUTE_MS = 60_000

export function bucketsOf({ perMinute, burst }: Rate, now: () => number): Buckets {
  const buckets = new Map<string, Bucket>()
  const perMs = perMinute / MINUTE_MS

  return {
    take(key) {
      const at = now()
      const bucket = buckets.get(key) ?? { tokens: burst, at }
      // Taken out and put in again, it is the newest: a map keeps the order of insertion.
      buckets.delete(key)
      for (const oldest of buckets.keys()) {
        if (buckets.size < MAX_BUCKETS) break
        buckets.delete(oldest)
      }
      buckets.set(key, bucket)
      bucket.tokens = Math.min(burst, bucket.tokens + (at - bucket.at) * perMs)
      bucket.at = at
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000))
      bucket.tokens--
      return 0
    },
  }
}
