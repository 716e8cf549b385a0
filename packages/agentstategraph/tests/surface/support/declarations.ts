/**
 * The declarations that a package emits, as text: which names an entry point exports, and how each is declared.
 *
 * It reads the built .d.ts files line by line and knows how the compiler prints them; it does not understand types.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One exported name of an entry point. */
export interface Exported {
  readonly name: string
  /** Its declarations, without comments; more than one for overloads, or for a type and a value of one name. */
  readonly texts: readonly string[]
  /** Whether a comment stands before one of them. */
  readonly isDocumented: boolean
}

interface Declaration {
  readonly name: string
  readonly text: string
  readonly isDocumented: boolean
}

interface Module {
  readonly declarations: readonly Declaration[]
  /** Names that come from other files: the name here, the name there, and the file. */
  readonly passedOn: ReadonlyMap<string, { readonly name: string; readonly file: string }>
}

const modules = new Map<string, Module>()

/** Everything that a built entry point exports, by name. */
export function exportsOf(file: string): Exported[] {
  const { declarations, passedOn } = moduleOf(file)
  const own = declarations.filter(({ text }) => text.startsWith('export ')).map(({ name }) => name)
  return [...new Set([...own, ...passedOn.keys()])].sort().map(name => exported(file, name))
}

function exported(file: string, name: string): Exported {
  const { declarations, passedOn } = moduleOf(file)
  const found = declarations.filter(declaration => declaration.name === name)
  if (found.length > 0) {
    return {
      name,
      texts: found.map(({ text }) => text),
      isDocumented: found.some(({ isDocumented }) => isDocumented),
    }
  }
  const from = passedOn.get(name)
  if (from === undefined) throw new Error(`${file} does not declare ${name}`)
  return { ...exported(from.file, from.name), name }
}

function moduleOf(file: string): Module {
  const known = modules.get(file)
  if (known !== undefined) return known
  const made = readModule(file)
  modules.set(file, made)
  return made
}

function readModule(file: string): Module {
  const declarations: Declaration[] = []
  const passedOn = new Map<string, { readonly name: string; readonly file: string }>()
  for (const { text, isDocumented } of statementsIn(readFileSync(file, 'utf8'))) {
    const from = /^(?:export|import) (?:type )?\{([^}]*)\} from '([^']+)';$/.exec(text)
    if (from !== null) {
      const [, names = '', specifier = ''] = from
      if (!specifier.startsWith('.')) continue
      for (const item of names.split(',').map(one => one.trim().replace(/^type /, ''))) {
        const [name = '', alias = name] = item.split(' as ')
        if (name !== '') passedOn.set(alias, { name, file: join(dirname(file), specifier.replace(/\.ts$/, '.d.ts')) })
      }
      continue
    }
    const name = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const|let) ([\w$]+)/.exec(
      text,
    )
    if (name !== null) declarations.push({ name: name[1]!, text, isDocumented })
  }
  return { declarations, passedOn }
}

/** The top-level statements of a declaration file, each with whether a comment stands directly before it. */
function statementsIn(text: string): { readonly text: string; readonly isDocumented: boolean }[] {
  const statements: { text: string; isDocumented: boolean }[] = []
  let lines: string[] = []
  let isDocumented = false
  let depth = 0
  let isComment = false
  for (const line of text.split('\n')) {
    const wasComment = isComment
    if (!isComment && line.trimStart().startsWith('/**')) isComment = true
    if (isComment) {
      if (lines.length === 0) isDocumented = true
      if (line.includes('*/')) isComment = false
      continue
    }
    if (wasComment || line.startsWith('//') || line.trim() === '') continue
    lines.push(line)
    depth += count(line, /[{([]/g) - count(line, /[})\]]/g)
    const isEnd = depth === 0 && (line.endsWith(';') || line.endsWith('}'))
    if (!isEnd) continue
    statements.push({ text: lines.join('\n'), isDocumented })
    lines = []
    isDocumented = false
  }
  return statements
}

/** Brackets in strings do not count. */
function count(line: string, brackets: RegExp): number {
  return (line.replaceAll(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/g, '').match(brackets) ?? []).length
}
