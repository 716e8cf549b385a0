/** `asg mcp`: passes its arguments to the MCP surface, with the store that other commands use here. */
import { Refusal } from '../../wire/faults/refusal.ts'
import { findStore } from '../client/find-store.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { BuiltinCall } from './builtin-command.ts'

/** The store of this folder, if it has one. The MCP surface itself refuses the URL of a server. */
function findFile(named: string | undefined, terminal: Terminal): string | undefined {
  try {
    const place = findStore(named, terminal)
    return place.kind === 'local' ? place.address : undefined
  } catch (error) {
    if (error instanceof Refusal && error.fault.code === 'store-not-found') return undefined
    throw error
  }
}

export async function mcp({ args, terminal }: BuiltinCall): Promise<number> {
  const { mcpCommand } = await import('../../mcp/command.ts')
  return mcpCommand(args, {
    err: terminal.err,
    env: terminal.env,
    folder: terminal.folder,
    untilStopped: terminal.untilStopped,
    findStore: named => findFile(named, terminal),
  })
}
