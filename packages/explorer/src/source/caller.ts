/** Who reads, as the server knows the key: what that person cannot do is not offered. */
import { effect, signal } from '@preact/signals'
import { type OperationName, routes } from './routes.ts'
import type { Caller } from './shapes/access.ts'
import type { Source } from './source.ts'
import { token } from './token.ts'

/** Undefined until the server has answered; then only reads are offered. */
export const caller = signal<Caller | undefined>(undefined)

/** Asks again whenever the key changes. */
export function followCaller(ask: Source['ask']): void {
  effect(() => {
    const key = token.value
    caller.value = undefined
    ask('whoami', {}).then(
      found => {
        if (token.value === key) caller.value = found
      },
      // A view that is refused says why.
      () => undefined,
    )
  })
}

export function mayAsk(name: OperationName): boolean {
  const [, effect, needs] = routes[name]
  const who = caller.value
  if (effect === 'read' && who === undefined) return true
  if (who === undefined || (effect === 'write' && who.mode === 'read-only')) return false
  return needs === 'none' || who.capabilities.includes(needs)
}
