/**
 * Rate limits: a token bucket for each caller.
 *
 * A full bucket carries no information, so only a fixed number of buckets is kept, those used last.
 */
export interface Rate {
  readonly perSecond: number
  /** The size of the bucket. */
  readonly burst: number
}

export interface Buckets {
  /** Takes one token; returns 0, or the seconds until there is one. */
  take(key: string): number
}

interface Bucket {
  tokens: number
  at: number
}

const MAX_BUCKETS = 10_000

export function bucketsOf({ perSecond, burst }: Rate, now: () => number): Buckets {
  const buckets = new Map<string, Bucket>()
  const perMs = perSecond / 1000

  return {
    take(key) {
      const at = now()
      const bucket = buckets.get(key) ?? { tokens: burst, at }
      // Reinsert it as the newest: a map keeps the order of insertion.
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
