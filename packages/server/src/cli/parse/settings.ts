/** The settings of every command: the store, the caller and the output format. */
import { Option } from 'commander'

export interface Settings {
  readonly store: string | undefined
  readonly token: string | undefined
  readonly agent: string | undefined
  /** A file with the key that signs epochs. */
  readonly signer: string | undefined
  /** A module with the user's code: graphs, migrations, tasks. */
  readonly app: string | undefined
  readonly json: boolean
  /** The settings that were typed rather than taken from the environment: a typed setting must not be ignored. */
  readonly typed: readonly string[]
}

/** Made for each command, because commander binds an option to one command. */
export function settingOptions(): readonly Option[] {
  return [
    new Option('--store <place>', 'A file, or the URL of a server (ASG_STORE; else the nearest .asg folder)'),
    new Option(
      '--agent <name>',
      'Who writes, for commands that write (ASG_AGENT; else human/ and the name of the user)',
    ),
    new Option('--token <text>', 'The key for a server; better in ASG_TOKEN, where no list of processes shows it'),
    new Option(
      '--signer <file>',
      'The key that signs, for commands that write (ASG_SIGNER; else that of `asg key new`)',
    ),
    new Option('--app <module>', 'Your graphs, migrations and tasks, for commands that run them (ASG_APP)'),
    new Option('--json', 'One JSON document on stdout (ASG_OUTPUT=json); streams are JSON lines'),
  ]
}

export function settingsFrom(
  given: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
): Settings {
  const text = (name: string, variable: string): string | undefined => {
    const value = given[name]
    return typeof value === 'string' ? value : env[variable] || undefined
  }
  return {
    store: text('store', 'ASG_STORE'),
    token: text('token', 'ASG_TOKEN'),
    agent: text('agent', 'ASG_AGENT'),
    signer: text('signer', 'ASG_SIGNER'),
    app: text('app', 'ASG_APP'),
    json: given['json'] === true || env['ASG_OUTPUT'] === 'json',
    typed: Object.keys(given).filter(name => given[name] !== undefined),
  }
}
