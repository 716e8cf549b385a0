/**
 * Where credentials come from: the options, the address, the variables of an environment that is handed in, or the shared credentials file.
 *
 * Nothing here reads the environment of the process, and no message has a secret in it.
 */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { backendError, reasonOf } from '../../errors.ts'
import type { S3Place } from './address.ts'
import type { S3Credentials, S3Options } from './options.ts'

/** The variables that AWS tools read, by name. */
export type S3Environment = Readonly<Record<string, string | undefined>>

/**
 * The options that an environment gives, such as `process.env`: keys and session token, or a profile, or the credentials endpoint of a
 * container; region and endpoint.
 */
export function s3Environment(env: S3Environment): S3Options {
  const credentials = credentialsIn(env)
  const given: S3Options = {
    region: env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'],
    endpoint: env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'],
    profile: env['AWS_PROFILE'],
    credentials: credentials ?? containerCredentials(env) ?? fileCredentials(env),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''))
}

function credentialsIn(env: S3Environment): S3Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env
  if (!accessKeyId || !secretAccessKey) return undefined
  return { accessKeyId, secretAccessKey, ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}) }
}

/** The endpoint that a container service offers to what runs in it. */
function containerCredentials(env: S3Environment): (() => Promise<S3Credentials>) | undefined {
  const relative = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']
  const address = relative ? `http://169.254.170.2${relative}` : env['AWS_CONTAINER_CREDENTIALS_FULL_URI']
  if (!address) return undefined
  return async () => {
    const file = env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE']
    const token = file ? readFileSync(file, 'utf8').trim() : env['AWS_CONTAINER_AUTHORIZATION_TOKEN']
    const answer = await fetch(address, {
      headers: token ? { authorization: token } : {},
      signal: AbortSignal.timeout(5000),
    }).catch((cause: unknown) => {
      throw missing('s3:', `the credentials endpoint of the container does not answer: ${reasonOf(cause)}`)
    })
    if (!answer.ok) throw missing('s3:', `the credentials endpoint of the container answered ${answer.status}`)
    const given = (await answer.json()) as Record<'AccessKeyId' | 'SecretAccessKey' | 'Token' | 'Expiration', string>
    return {
      accessKeyId: given.AccessKeyId,
      secretAccessKey: given.SecretAccessKey,
      sessionToken: given.Token,
      expiration: new Date(given.Expiration),
    }
  }
}

function fileCredentials(env: S3Environment): (() => Promise<S3Credentials>) | undefined {
  const file = env['AWS_SHARED_CREDENTIALS_FILE']
  return file ? async () => profileIn(file, env['AWS_PROFILE'], 's3:') : undefined
}

/** What gives the credentials for a place. */
export function providerOf(place: S3Place, { credentials }: S3Options): () => Promise<S3Credentials> {
  if (typeof credentials === 'function') return credentials
  const given = credentials ?? place.credentials
  if (given !== undefined) return async () => given
  return async () => profileIn(join(homedir(), '.aws', 'credentials'), place.profile, place.name)
}

/** One section of a shared credentials file. */
function profileIn(file: string, profile = 'default', place: string): S3Credentials {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw missing(place, 'no credentials were given, and there is no shared credentials file')
  }
  let section = ''
  const values = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/.exec(line)
    const setting = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/.exec(line)
    if (heading !== null) section = heading[1]!
    else if (setting !== null && section === profile) values.set(setting[1]!, setting[2]!)
  }
  const accessKeyId = values.get('aws_access_key_id')
  const secretAccessKey = values.get('aws_secret_access_key')
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw missing(place, `the shared credentials file has no access key for the profile "${profile}"`)
  }
  const sessionToken = values.get('aws_session_token')
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}

function missing(place: string, reason: string): Error {
  return backendError('s3-refused', {
    place,
    reason,
    remedy:
      'Give the option credentials, or s3Environment of the environment, or put them into the shared credentials file. asg reads AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  })
}
