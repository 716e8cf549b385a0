/** A failure in the words of a shell: operations by their commands, fields by their options, and what a person does here. */
import type { Fault } from '../../wire/faults/fault.ts'
import { hintOf, inWords } from '../../wire/faults/hint.ts'
import { shellWord } from '../terminal/command-text.ts'
import { type CommandEntry, optionName } from './command-entry.ts'

type Data = Readonly<Record<string, unknown>>

const signerHint = 'Make a key with `asg key new`, or name one with --signer.'

/** Hints about this machine, which other surfaces leave to its operator. */
const hints: Readonly<Record<string, (data: Data) => string>> = {
  'app-missing': () =>
    'Give --app ./app.mjs, to `asg serve` or to this command: a module that exports graphs, migrations or agents.',
  'bind-refused': () => 'Listen on 127.0.0.1, or keep the token and give the names of the server with --allow-host.',
  'epoch-unsigned': ({ epoch }) => `${signerHint} Then sign it with \`asg epoch sign ${shellWord(String(epoch))}\`.`,
  'host-refused': ({ host }) =>
    `Use the address that it printed, or start it with --allow-host ${shellWord(String(host))}.`,
  'import-refused': () => 'Nothing was imported. Name a file that `asg export --out` wrote, or - for stdin.',
  'key-file-invalid': () => 'Restore the file from a backup, or make another key with `asg key new`.',
  'key-invalid': () => 'One looks like name+0a1b2c3d+base64. `asg key show` prints that of this store.',
  'key-retired': () => 'Leave out --signer to use the key that took its place, or name that one.',
  'namespace-not-found': () => 'Make it with `asg namespace create`, or leave out --namespace for the default one.',
  'read-only': () => 'Nothing was written. The file, or its folder, cannot be written by you.',
  'segment-torn': () =>
    'Nothing is read past it. Restore the object from a version or a copy of the bucket. Where it is the newest segment and there ' +
    'is neither, `asg repair --empty-torn` puts an empty one in its place.',
  'signer-invalid': () => signerHint,
  'signer-missing': () => signerHint,
  'too-costly': ({ limit }) =>
    'Nothing is half written. Ask for less at once: a page (-n, --cursor), a narrower path or filter, fewer edits. ' +
    `\`asg serve --${String(limit)}\` raises the limit.`,
  unauthenticated: () =>
    'Put the key into ASG_TOKEN. `asg principal add` and `asg keys add` make keys where the server runs, which shows its own at its first start.',
}

/** A server answers in the words of HTTP, so its routes are translated too. */
export function inShellWords({ code, data, hint }: Fault, entries: readonly CommandEntry[]): string | undefined {
  const own = Object.hasOwn(hints, code) ? hints[code]!((data ?? {}) as Data) : hintOf(code, data, hint)
  if (own === undefined) return undefined
  const fields = new Set(entries.flatMap(entry => entry.fields.map(({ name }) => name)))
  const commandOf = (entry: CommandEntry): string => `\`asg ${entry.words.join(' ')}\``
  const named = inWords(own, name => {
    const entry = entries.find(each => each.name === name)
    if (entry !== undefined) return commandOf(entry)
    return fields.has(name) ? `--${optionName(name)}` : undefined
  })
  return named.replace(/\b(?:GET|POST|PUT|PATCH|DELETE) \/api\/[^\s,;.]+/g, route => {
    const entry = entries.find(each => each.route === route)
    return entry === undefined ? route : commandOf(entry)
  })
}
