/** `asg switch`: the branch that commands use when they name none. It is kept beside the store. */
import { Refusal } from '../../wire/faults/refusal.ts'
import { findStore } from '../client/find-store.ts'
import { changeConfig, readConfig } from '../client/store-config.ts'
import { shellWord, tellNext } from '../terminal/command-text.ts'
import { ok } from '../terminal/exit-code.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { BuiltinCall } from './builtin-command.ts'
import { calledOperation } from './called-operation.ts'

const MAIN = 'main'

async function assertBranch(call: BuiltinCall, branch: string): Promise<void> {
  const { items } = await calledOperation(call, 'list_branches', { prefix: branch, limit: 100 })
  const names = (items as readonly { readonly name: string }[]).map(({ name }) => name)
  if (names.includes(branch)) return
  throw new Refusal({
    code: 'ref-not-found',
    kind: 'not-found',
    message: `There is no branch ${JSON.stringify(branch)}`,
    hint: `Make it with \`asg switch --create ${shellWord(branch)}\`.`,
    data: { ref: branch, known: names.length > 0 ? names : ['main'] },
  })
}

export async function switchBranch(call: BuiltinCall): Promise<number> {
  const { args, options, settings, terminal } = call
  const place = findStore(settings.store, terminal)
  const branch = args[0]!
  const before = readConfig(place).branch ?? MAIN
  if (options['create'] === true) await calledOperation(call, 'branch', { name: branch, from: before })
  else if (branch !== MAIN) await assertBranch(call, branch)
  changeConfig(place, { branch: branch === MAIN ? undefined : branch })
  if (settings.json) terminal.out(`${visibleJson({ branch, before }, 2)}\n`)
  else {
    terminal.out(`${branch === before ? 'Already' : 'Now'} on ${visibleText(branch)}\n`)
    tellNext('log -n 5', terminal)
  }
  return ok
}
