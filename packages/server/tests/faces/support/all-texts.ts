/** Every error of the library and the server, made with data that stands for anything: its code, message and hint. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface ErrorText {
  readonly code: string
  readonly message: string
  readonly hint: string | undefined
  readonly data: unknown
}

/** Data that has every property: each is a text, a number, a list of one and an object at once. */
function anything(): unknown {
  const parts: readonly unknown[] = [1].map(() => undefined)
  return new Proxy(() => anything(), {
    get(_, key) {
      if (key === Symbol.toPrimitive || key === 'toJSON' || key === 'toString') return () => '7'
      if (key === 'length') return 1
      const list = parts.map(anything)
      if (key === Symbol.iterator) return () => list[Symbol.iterator]()
      const method: unknown = Reflect.get(Array.prototype, key)
      return typeof method === 'function' && key !== 'constructor' ? method.bind(list) : anything()
    },
  })
}

const library = fileURLToPath(new URL('../../../../agentstategraph/src/', import.meta.url))
const wire = fileURLToPath(new URL('../../../src/wire/', import.meta.url))

function errorFiles(): readonly string[] {
  const names = readdirSync(library, { recursive: true, encoding: 'utf8' })
  return [...names.filter(name => /(^|[/\\-])errors\.ts$/.test(name)).map(name => library + name), `${wire}errors.ts`]
}

type Make = (
  code: string,
  data: unknown,
) => { readonly code?: string; readonly message: string | undefined; readonly hint?: string }

export async function allTexts(): Promise<readonly ErrorText[]> {
  const texts: ErrorText[] = []
  for (const file of errorFiles()) {
    const codes = [...readFileSync(file, 'utf8').matchAll(/^ {2}'?([a-z][a-z\d-]*)'?: (?:\(|\w+,)/gm)].map(
      ([, code]) => code!,
    )
    const module: Readonly<Record<string, unknown>> = await import(/* @vite-ignore */ file)
    const makers = Object.entries(module).filter(([name]) => /(Error|Fault)$/.test(name)) as [string, Make][]
    for (const code of codes) {
      for (const data of [anything(), {}, { agent: 'agent/a', key: 'k', reason: 'task' }]) {
        const made = makers.flatMap(([, make]) => {
          try {
            return [make(code, data)]
          } catch {
            // Another table of the same file, or words that need the data.
            return []
          }
        })
        for (const { code: own, message, hint } of made)
          if (own === code && message !== undefined) texts.push({ code, message, hint, data })
      }
    }
  }
  return texts
}
