/**
 * Writes the declarations that the entry points of a package need, and nothing else of them: the published ones.
 *
 * A module keeps the statements whose names are used on the way to an exported one, each with the comment before it, and the imports
 * of those. A name that is used inside a statement counts, whatever it means there, so what is kept may be too much and never too
 * little. It knows how the compiler prints declarations, and not what types mean.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** `entries` are file names below `from`; files of the same names are written below `to`. */
export function writeDeclarations(from, to, entries) {
  const kept = new Map()
  for (const entry of entries)
    keepNames(kept, join(from, entry), exportedNames(moduleOf(kept, join(from, entry)).module))
  for (const entry of entries) keepAdditions(kept, join(from, entry))
  for (const [file, { module, statements, added }] of kept) {
    if (statements.size === 0 && added.size === 0) continue
    const output = join(to, file.slice(from.length))
    mkdirSync(dirname(output), { recursive: true })
    writeFileSync(output, printed(module, statements, added))
  }
}

/** What is kept of a module: statements, of imports and passed on names a set of local names, and the imports added to it. */
function moduleOf(kept, file) {
  const known = kept.get(file)
  if (known !== undefined) return known
  const made = { module: readModule(file), statements: new Map(), added: new Set() }
  kept.set(file, made)
  return made
}

function readModule(file) {
  const text = readFileSync(file, 'utf8')
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  return { file, text, body: program.body.map(node => statementOf(file, node)) }
}

function statementOf(file, node) {
  const source = node.source?.value
  if (node.type === 'ExportAllDeclaration') throw new Error(`${file} exports names that it does not name`)
  const isLink =
    node.type === 'ImportDeclaration' || (node.type === 'ExportNamedDeclaration' && node.declaration === null)
  if (isLink) {
    const items = node.specifiers.map(each => ({
      here: (each.exported ?? each.local).name,
      there: each.type === 'ImportNamespaceSpecifier' ? '*' : (each.imported ?? each.local).name,
      node: each,
    }))
    return { node, source, items, names: items.map(({ here }) => here) }
  }
  const declared = node.declaration ?? node
  if (declared.type === 'TSModuleDeclaration') return { node, adds: declared.id.value, names: [] }
  const ids = declared.type === 'VariableDeclaration' ? declared.declarations.map(({ id }) => id) : [declared.id]
  return { node, names: ids.map(({ name }) => name), isExported: node.type === 'ExportNamedDeclaration' }
}

function exportedNames({ body }) {
  return body
    .filter(
      ({ node, isExported }) => isExported || (node.type === 'ExportNamedDeclaration' && node.declaration === null),
    )
    .flatMap(({ names }) => names)
}

function targetOf(file, source) {
  return join(dirname(file), source.replace(/\.[jt]s$/, '.d.ts'))
}

function keepNames(kept, file, names) {
  const { module } = moduleOf(kept, file)
  for (const name of names) {
    for (const statement of module.body) if (statement.names.includes(name)) keep(kept, file, statement, name)
  }
}

function keep(kept, file, statement, name) {
  const { module, statements } = moduleOf(kept, file)
  const had = statements.get(statement)
  if (had?.has(name)) return
  statements.set(statement, (had ?? new Set()).add(name))
  if (statement.items === undefined) {
    if (had === undefined) follow(kept, module, usedIn(statement.node))
    return
  }
  const { there } = statement.items.find(({ here }) => here === name)
  if (statement.source === undefined) keepNames(kept, file, [there])
  // Which names of a namespace are used is seen where they are used.
  else if (statement.source.startsWith('.') && there !== '*') keepNames(kept, targetOf(file, statement.source), [there])
}

/** Keeps what is used, which may be `repo.Revision` of a module that was imported as `repo`. */
function follow(kept, { file, body }, { names, members, imports }) {
  keepNames(kept, file, names)
  for (const [space, name] of members) {
    const from = body.find(({ items }) => items?.some(({ here, there }) => here === space && there === '*'))
    if (from !== undefined) keepNames(kept, targetOf(file, from.source), [name])
  }
  for (const [source, name] of imports) {
    if (source.startsWith('.')) keepNames(kept, targetOf(file, source), [name])
  }
}

/** The names that a part of a module uses. The name of a field is none. */
function usedIn(root) {
  const used = { names: new Set(), members: [], imports: [] }
  visit(root)
  return used

  function visit(node) {
    if (Array.isArray(node)) node.forEach(visit)
    if (typeof node?.type !== 'string') return
    if (node.type === 'Identifier') used.names.add(node.name)
    if (node.type === 'TSQualifiedName' && node.left.type === 'Identifier')
      used.members.push([node.left.name, node.right.name])
    if (node.type === 'TSImportType') used.imports.push([node.source.value, firstOf(node.qualifier)])
    for (const [key, part] of Object.entries(node)) if (key !== 'key' || node.computed) visit(part)
  }
}

function firstOf(qualifier) {
  return qualifier.type === 'Identifier' ? qualifier.name : firstOf(qualifier.left)
}

/** What modules behind an entry add to the declarations of others, such as codes of errors, belongs to it though no name leads there. */
function keepAdditions(kept, entry) {
  for (const file of filesBehind(entry)) {
    const { module, statements } = moduleOf(kept, file)
    for (const statement of module.body.filter(({ adds }) => adds !== undefined)) {
      if (file !== entry) kept.get(entry).added.add(file)
      if (statements.has(statement)) continue
      statements.set(statement, new Set())
      const { body } = statement.node.body
      const added = body.map(node => statementOf(file, node)).flatMap(({ names }) => names)
      keepNames(kept, targetOf(file, statement.adds), added)
      follow(kept, module, usedIn(statement.node.body))
    }
  }
}

function filesBehind(entry) {
  const files = new Set([entry])
  for (const file of files) {
    for (const { source } of readModule(file).body) if (source?.startsWith('.')) files.add(targetOf(file, source))
  }
  return files
}

function printed({ file, text, body }, statements, added) {
  const additions = [...added].map(other => `import '${pathTo(file, other)}';`)
  const lines = body.flatMap((statement, at) => {
    const { node, items } = statement
    if (items?.length === 0 && node.type !== 'ImportDeclaration') return ['export {};']
    const names = statements.get(statement)
    if (names === undefined) return []
    if (items === undefined)
      return [commentBefore(text, body[at - 1]?.node.end ?? 0, node.start) + text.slice(node.start, node.end)]
    return [linkText(text, statement, names)]
  })
  const libraries = text.match(/^\/\/\/ <reference .*$/gm) ?? []
  return `${[...libraries, ...additions, ...lines].join('\n')}\n`
}

function linkText(text, { node, source, items }, names) {
  const typed = (node.importKind ?? node.exportKind) === 'type' ? ' type' : ''
  const used = items.filter(({ here }) => names.has(here)).map(({ node: { start, end } }) => text.slice(start, end))
  const list = items.some(({ there }) => there === '*') ? used.join() : `{ ${used.join(', ')} }`
  const from = source === undefined ? '' : ` from '${source}'`
  return `${node.type === 'ImportDeclaration' ? 'import' : 'export'}${typed} ${list}${from};`
}

/** The last comment between two statements; what stands before it is about the file. */
function commentBefore(text, from, to) {
  const comment = text.slice(from, to).match(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/(?=\s*$)/)
  return comment === null ? '' : `${comment[0]}\n`
}

function pathTo(from, to) {
  const [here, there] = [dirname(from).split('/'), to.replace(/\.d\.ts$/, '.ts').split('/')]
  const same = here.findIndex((part, at) => part !== there[at])
  const shared = same < 0 ? here.length : same
  return [...(shared === here.length ? ['.'] : here.slice(shared).map(() => '..')), ...there.slice(shared)].join('/')
}
