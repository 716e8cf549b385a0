/**
 * The place of a store in object storage: what an `s3:` address and the options beside it say.
 *
 * An address is `s3://bucket/prefix`, with an access key and its secret before the bucket, and an endpoint, a region and other
 * settings after a question mark. The `name` of a place has neither keys nor settings.
 */
import { backendError } from '../../errors.ts'
import type { S3Credentials, S3Options } from './options.ts'

export interface S3Place {
  /** `s3://bucket/prefix`, for messages. */
  readonly name: string
  readonly bucket: string
  /** What all keys begin with: empty, or ends with a slash. */
  readonly prefix: string
  readonly region: string
  /** The URL of the bucket, without a slash at its end. */
  readonly url: string
  readonly credentials: S3Credentials | undefined
  readonly profile: string | undefined
  readonly encryption: S3Options['encryption']
}

const settings = ['endpoint', 'region', 'pathStyle', 'profile', 'encryption'] as const
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** Reads an address. What the options say goes before what the address says. */
export function placeOf(address: string | URL, options: S3Options): S3Place {
  const url = parsed(address)
  const bucket = url.hostname
  const prefix = decoded(url.pathname).replace(/^\/+|\/+$/g, '')
  const name = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`
  if (!bucketName.test(bucket)) throw invalid(name, `"${bucket}" is not the name of a bucket`)
  const unknown = [...url.searchParams.keys()].find(key => !settings.some(setting => setting === key))
  if (unknown !== undefined) throw invalid(name, `it has no setting "${unknown}"; there are ${settings.join(', ')}`)
  const setting = (key: (typeof settings)[number]): string | undefined => url.searchParams.get(key) || undefined
  const region = options.region ?? setting('region') ?? 'us-east-1'
  const endpoint = options.endpoint ?? setting('endpoint')
  const given = setting('pathStyle')
  if (given !== undefined && given !== 'true' && given !== 'false') {
    throw invalid(name, `pathStyle is "${given}", and has to be true or false`)
  }
  const pathStyle = options.pathStyle ?? (given === undefined ? endpoint !== undefined : given === 'true')
  return {
    name,
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    url: bucketUrl(name, endpoint ?? `https://s3.${region}.amazonaws.com`, bucket, pathStyle),
    credentials: options.credentials === undefined ? credentialsIn(url) : undefined,
    profile: options.profile ?? setting('profile'),
    encryption: options.encryption ?? setting('encryption'),
  }
}

function parsed(address: string | URL): URL {
  try {
    return new URL(String(address))
  } catch {
    throw invalid('s3:', 'the address is not a URL')
  }
}

function bucketUrl(name: string, endpoint: string, bucket: string, pathStyle: boolean): string {
  let url: URL
  try {
    url = new URL(endpoint)
  } catch {
    throw invalid(name, 'the endpoint is not a URL')
  }
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path}${pathStyle ? `/${bucket}` : ''}`
}

function credentialsIn({ username, password }: URL): S3Credentials | undefined {
  if (username === '') return undefined
  return { accessKeyId: decoded(username), secretAccessKey: decoded(password) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid('s3:', 'a "%" in it is not followed by two digits of a character')
  }
}

function invalid(place: string, reason: string): Error {
  const remedy = 'Give an address such as s3://bucket/prefix?region=eu-west-1.'
  return backendError('s3-refused', { place, reason, remedy })
}
