/**
 * The key of the person who reads, for this tab.
 *
 * It travels in the Authorization header only: never in a URL, where histories and logs would keep it, and never in a cookie,
 * which a browser would send for other pages too.
 */
import { signal } from '@preact/signals'

const KEPT_AS = 'asg-token'

/** The key; undefined until one is given. */
export const token = signal<string | undefined>(sessionStorage.getItem(KEPT_AS) ?? undefined)

/** Whether the server asked for a key, or refused the one that it got. */
export const isTokenAsked = signal(false)

export function keepToken(text: string): void {
  sessionStorage.setItem(KEPT_AS, text)
  token.value = text
  isTokenAsked.value = false
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEPT_AS)
  token.value = undefined
}
