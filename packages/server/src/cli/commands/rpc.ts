/** `asg rpc`: serves clients in other languages on standard input and output. */
import { packageVersion } from '../../host/package-file.ts'
import type { BuiltinCall } from './builtin-command.ts'

export async function rpc({ args }: BuiltinCall): Promise<number> {
  const { rpcMain } = await import('../../rpc/main.ts')
  return rpcMain(args, packageVersion())
}
