/** `asg config`: the settings that are kept beside the store, and where each of those in use comes from. */
import { shownAddress } from '../../host/store-address.ts'
import { usageRefusal } from '../../wire/faults/refusal.ts'
import { findStore } from '../client/find-store.ts'
import { personName } from '../client/local-client.ts'
import { type ConfigName, changeConfig, configNames, readConfig } from '../client/store-config.ts'
import { ok } from '../terminal/exit-code.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { BuiltinCall } from './builtin-command.ts'

const defaults: Readonly<Record<ConfigName, () => string>> = {
  branch: () => 'main',
  signer: () => '',
  agent: personName,
}

const variables: Readonly<Partial<Record<ConfigName, string>>> = { signer: 'ASG_SIGNER', agent: 'ASG_AGENT' }

function named(text: string): ConfigName {
  const name = configNames.find(known => known === text)
  if (name !== undefined) return name
  throw usageRefusal(`There is no setting ${JSON.stringify(text)}`, `There are: ${configNames.join(', ')}.`)
}

export async function config({ args, options, settings, terminal }: BuiltinCall): Promise<number> {
  const place = findStore(settings.store, terminal)
  const [name, value] = args
  if (options['unset'] === true) {
    if (name === undefined || value !== undefined) throw usageRefusal('--unset needs the name of one setting')
    changeConfig(place, { [named(name)]: undefined })
  } else if (name !== undefined && value !== undefined) {
    if (named(name) === 'branch')
      throw usageRefusal('The branch is set with `asg switch`, which looks whether it is there')
    changeConfig(place, { [named(name)]: value })
  }
  const kept = readConfig(place)
  const store = shownAddress(place.kind === 'local' ? place.address : place.url)
  const shown = (name === undefined ? configNames : [named(name)]).map(each => {
    const variable = variables[each]
    const given = variable === undefined ? undefined : terminal.env[variable] || undefined
    if (given !== undefined) return { name: each, value: given, from: variable! }
    const own = kept[each]
    return own === undefined
      ? { name: each, value: defaults[each](), from: 'default' }
      : { name: each, value: own, from: 'kept beside the store' }
  })
  if (settings.json) terminal.out(`${visibleJson({ store, settings: shown }, 2)}\n`)
  else {
    if (name === undefined) terminal.out(`store   ${visibleText(store)}\n`)
    for (const { name: each, value: text, from } of shown) {
      terminal.out(`${each.padEnd(7)} ${visibleText(text === '' ? '(none)' : text)}  (${from})\n`)
    }
  }
  return ok
}
