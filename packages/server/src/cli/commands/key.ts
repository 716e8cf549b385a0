/** `asg key`: the key that signs the epochs of a store, in a file that only its owner can read. */
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Signer } from 'agentstategraph'
import { Refusal, usageRefusal } from '../../wire/faults/refusal.ts'
import { findStore, type StorePlace } from '../client/find-store.ts'
import { personName } from '../client/local-client.ts'
import { changeConfig, findConfigFile, findSignerFile } from '../client/store-config.ts'
import { commandName, shellWord } from '../terminal/command-text.ts'
import { ok } from '../terminal/exit-code.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { BuiltinCall } from './builtin-command.ts'

const KEY_FILE = 'signing.key'

/** The folder of the store, where its key and configuration lie. */
function storeOf({ settings, terminal }: BuiltinCall): { readonly place: StorePlace; readonly folder: string } {
  const place = findStore(settings.store, terminal)
  const file = findConfigFile(place)
  if (file === undefined) {
    throw usageRefusal('The key of a server lies where the server runs', 'Run this there, with --store and its file.')
  }
  return { place, folder: dirname(file) }
}

/** A name as it is typed in this folder. */
function typedName(file: string, { terminal }: BuiltinCall): string {
  const near = relative(terminal.folder, file)
  return shellWord(near.startsWith('..') ? file : near)
}

/** Makes the key and, beside it, the file with its public half. */
async function makeKey(file: string, name: string | undefined): Promise<string> {
  const { createKeyFile } = await import('agentstategraph/trust')
  const key = await createKeyFile(file, { name })
  writeFileSync(`${file}.pub`, `${key}\n`)
  return key
}

export async function newKey(call: BuiltinCall): Promise<number> {
  const { args, options, settings, terminal } = call
  const name = options['name'] as string | undefined
  const { place, folder } = storeOf(call)
  const used = findSignerFile(settings.signer, place, terminal.folder)
  const file = args[0] === undefined ? join(folder, KEY_FILE) : resolve(terminal.folder, args[0])
  const isKept = args[0] === undefined
  if (isKept && used !== undefined && existsSync(used)) {
    throw new Refusal({
      code: 'key-exists',
      kind: 'conflict',
      message: `This store has a key already: ${used}`,
      hint: 'Replace it with `asg key rotate`, so that those who trust it can trust the next one.',
    })
  }
  const key = await makeKey(file, name)
  if (isKept) changeConfig(place, { signer: KEY_FILE })
  if (settings.json) terminal.out(`${visibleJson({ key, file, public: `${file}.pub` }, 2)}\n`)
  else {
    terminal.out(`${visibleText(key)}\n`)
    const use = isKept ? 'From now on this store is signed with it' : `Use it with --signer ${typedName(file, call)}`
    terminal.err(
      `The private key is in ${visibleText(file)}: keep it secret, and keep a copy.\n` +
        `The line above is public, and in ${visibleText(`${file}.pub`)}: give it to those who verify. ${use}.\n` +
        `try: ${commandName(terminal)} epoch create 2026-q1 'First quarter'\n`,
    )
  }
  return ok
}

export async function showKey(call: BuiltinCall): Promise<number> {
  const { args, settings, terminal } = call
  const { file, signer } = await signerOf(call, args[0] ?? settings.signer)
  const key = signer.verifierKey
  if (settings.json) terminal.out(`${visibleJson({ key, file }, 2)}\n`)
  else {
    terminal.out(`${visibleText(key)}\n`)
    terminal.err(`Its private half is in ${visibleText(file)}.\n`)
  }
  return ok
}

async function signerOf(
  call: BuiltinCall,
  typed: string | undefined,
): Promise<{ readonly file: string; readonly signer: Signer }> {
  const { place } = storeOf(call)
  const file = findSignerFile(typed, place, call.terminal.folder)
  if (file === undefined) {
    throw new Refusal({
      code: 'signer-missing',
      kind: 'not-found',
      message: 'This store has no key',
      hint: 'Make one with `asg key new`, or name one with --signer.',
    })
  }
  const { keyFileSigner } = await import('agentstategraph/trust')
  return { file, signer: await keyFileSigner(file) }
}

/** A name for the next key that is not taken: signing-2.key. */
function nextFile(file: string): string {
  const [, stem, , extension] = /^(.*?)(-\d+)?(\.[^./\\]*)?$/.exec(file)!
  for (let count = 2; ; count++) {
    const next = `${stem}-${count}${extension ?? ''}`
    if (!existsSync(next)) return next
  }
}

export async function rotateKey(call: BuiltinCall): Promise<number> {
  const { args, settings, terminal } = call
  const { place } = storeOf(call)
  const { file: before, signer } = await signerOf(call, settings.signer)
  const file = args[0] === undefined ? nextFile(before) : resolve(terminal.folder, args[0])
  const { keyFileSigner, rotateKey: rotate } = await import('agentstategraph/trust')
  const key = existsSync(file)
    ? (await keyFileSigner(file)).verifierKey
    : await makeKey(file, signer.verifierKey.split('+')[0])
  const next = await keyFileSigner(file)
  const { openHost } = await import('../../host/store-host.ts')
  const address = place.kind === 'local' ? place.address : ''
  const host = await openHost(address, { agent: settings.agent ?? personName(), signer })
  try {
    // Each namespace is a log of its own.
    const context = host.context({})
    for (const namespace of await context.namespaces()) await rotate(await context.repo(namespace), next)
  } finally {
    await host.close()
  }
  const folder = dirname(findConfigFile(place)!)
  if (settings.signer === undefined) changeConfig(place, { signer: relative(folder, file) })
  if (settings.json) terminal.out(`${visibleJson({ key, file, retired: signer.verifierKey }, 2)}\n`)
  else {
    terminal.out(`${visibleText(key)}\n`)
    terminal.err(
      `This key replaces ${visibleText(signer.verifierKey)}, which signs nothing any more.\n` +
        'Those who trust the old key need no new one: each bundle has the change, signed by both.\n',
    )
  }
  return ok
}
