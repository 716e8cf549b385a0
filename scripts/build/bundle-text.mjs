/** What is done with the text of a bundle for Node once it is minified: plugins of its output. */
import { parseSync, Visitor } from 'rolldown/utils'

/** Node prints the line of an error that nobody catches: a statement that begins behind this many characters gets a line of its own. */
const LINE = 100

/** A line break before one of these changes nothing, wherever they stand. */
const BREAKABLE = [
  'BreakStatement',
  'ClassDeclaration',
  'ContinueStatement',
  'DoWhileStatement',
  'ExpressionStatement',
  'ForInStatement',
  'ForOfStatement',
  'ForStatement',
  'FunctionDeclaration',
  'IfStatement',
  'MethodDefinition',
  'Property',
  'PropertyDefinition',
  'ReturnStatement',
  'SwitchStatement',
  'ThrowStatement',
  'TryStatement',
  'VariableDeclaration',
  'WhileStatement',
]

/** Breaks the lines of a file without white space. */
export const inLines = {
  name: 'in-lines',
  generateBundle(_, files) {
    for (const [name, chunk] of Object.entries(files)) chunk.code = broken(name, chunk.code)
  },
}

function broken(name, code) {
  const { program } = parseSync(name, code)
  const outer = new Set(program.body.map(({ start }) => start))
  const starts = new Set(outer)
  new Visitor(Object.fromEntries(BREAKABLE.map(type => [type, ({ start }) => starts.add(start)]))).visit(program)
  const lines = []
  let from = 0
  for (const start of [...starts].toSorted((a, b) => a - b)) {
    if (start === from || (start - from < LINE && !outer.has(start))) continue
    lines.push(code.slice(from, start).trimEnd())
    from = start
  }
  return [...lines, code.slice(from)].join('\n')
}

/** Node reads a file without other characters faster, and V8 keeps it in half the memory. */
export const ascii = {
  name: 'ascii',
  generateBundle(_, files) {
    for (const chunk of Object.values(files)) chunk.code = chunk.code.replace(/[^\0-\x7f]/g, escaped)
  },
}

function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
