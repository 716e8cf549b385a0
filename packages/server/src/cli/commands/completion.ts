/** `asg completion`: the script that makes a shell complete `asg`. */
import { usageRefusal } from '../../wire/faults/refusal.ts'
import { ok } from '../terminal/exit-code.ts'
import type { BuiltinCall } from './builtin-command.ts'
import { completionScript, shells } from './completion/script.ts'
import { completionPoints } from './completion/words.ts'

export async function completion({ args, program, terminal }: BuiltinCall): Promise<number> {
  const shell = shells.find(each => each === args[0])
  if (shell === undefined)
    throw usageRefusal(`There is no completion for ${args[0]}`, `There is: ${shells.join(', ')}.`)
  terminal.out(completionScript(shell, completionPoints(program)))
  return ok
}
