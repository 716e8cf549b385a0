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
  /** The same without taking it. */
  look(key: string): number
}

interface Bucket {
  readonly tokens: number
  readonly at: number
}

const MAX_BUCKETS = 10_000

export function bucketsOf({ perSecond, burst }: Rate, now: () => number): Buckets {
  const buckets = new Map<string, Bucket>()
  const perMs = perSecond / 1000

  function filled(key: string): Bucket {
    const at = now()
    const { tokens, at: since } = buckets.get(key) ?? { tokens: burst, at }
    return { tokens: Math.min(burst, tokens + (at - since) * perMs), at }
  }

  function waitSeconds({ tokens }: Bucket): number {
    return tokens < 1 ? Math.max(1, Math.ceil((1 - tokens) / perMs / 1000)) : 0
  }

  return {
    look: key => waitSeconds(filled(key)),
    take(key) {
      const bucket = filled(key)
      const wait = waitSeconds(bucket)
      // Reinsert it as the newest: a map keeps the order of insertion.
      buckets.delete(key)
      for (const oldest of buckets.keys()) {
        if (buckets.size < MAX_BUCKETS) break
        buckets.delete(oldest)
      }
      buckets.set(key, wait > 0 ? bucket : { ...bucket, tokens: bucket.tokens - 1 })
      return wait
    },
  }
}
