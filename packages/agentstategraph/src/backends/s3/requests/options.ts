/** What a program can say about a store in object storage. */

/** An access key with its secret, and the token of a session if it has one. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
  /** When they end; they are asked for again a minute before. */
  readonly expiration?: Date | undefined
}

/** A channel between processes that use a store, on which they tell each other of new entries. What is sent may be lost. */
export interface S3Hints {
  /** Tells others that a namespace has a new entry. A promise is waited for. */
  send(namespace: string): unknown
  /** Calls `onHint` with each namespace that others tell of. Returns the function that ends it. */
  listen(onHint: (namespace: string) => void): () => void
}

/** Options of `s3`. */
export interface S3Options {
  /** The URL of the service; that of AWS for the region by default. */
  readonly endpoint?: string | undefined
  /** `us-east-1` by default. */
  readonly region?: string | undefined
  /** Whether the bucket is in the path of URLs and not in the host. True by default where an endpoint is given. */
  readonly pathStyle?: boolean | undefined
  /** Who sends: an access key, or a function that gives one, such as a provider of the AWS SDK. */
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>) | undefined
  /** The section of the shared credentials file that is read when no credentials are given; `default` by default. */
  readonly profile?: string | undefined
  /** How the service encrypts objects: `AES256`, or `aws:kms` with or without `:` and the id of a key. */
  readonly encryption?: string | undefined
  /** A folder for what was read and for the index of queries. It can be deleted at any time. Both are in memory without it. */
  readonly cacheFolder?: string | undefined
  /** How often a listener asks for entries of other processes. 600 by default. */
  readonly pollMs?: number | undefined
  /** A channel that spares listeners the wait for their next look. */
  readonly hints?: S3Hints | undefined
  /** Refuses to write. */
  readonly readOnly?: boolean | undefined
}
