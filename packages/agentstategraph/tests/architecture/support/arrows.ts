/**
 * Which layer may import which: the one table, and the check of it.
 *
 * The compiler holds the same arrows through project references; this says
 * them in words, for layers to come as well, and catches what a project
 * reference cannot see: packages and built-in modules.
 */
import { type Fault, findLayer, findTarget, isTest, layersFolder, listImports, type SourceFile } from './source-file.ts'

const belowRepository = ['core', 'tree', 'store', 'repo'] as const
/** What a concern is made of: functions of a repository, beside what repositories are made of. */
const concern = [...belowRepository, 'repository'] as const

/** For each layer, the layers it may import beside itself. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  core: [],
  tree: ['core'],
  store: ['core', 'tree'],
  repo: ['core', 'tree', 'store'],
  node: ['core'],
  backends: ['core', 'node', 'store'],
  repository: [...belowRepository, 'node', 'backends'],
  maintenance: concern,
  trust: [...concern, 'node'],
  access: concern,
  schema: concern,
  plans: concern,
  graph: concern,
  memory: concern,
  testing: [...concern, 'graph', 'memory'],
  browser: [...concern, 'backends', 'trust'],
  internal: belowRepository,
}

/** The layers that know Node. */
export const nodeLayers: readonly string[] = ['backends', 'node']

/** A folder of layers, and for each layer those it may import beside itself. */
export interface Layering {
  readonly folder: string
  readonly arrows: Readonly<Record<string, readonly string[]>>
}

/** The layers of the library. */
export const libraryLayers: Layering = { folder: layersFolder, arrows }

const belowSurfaces = ['wire', 'operations', 'host'] as const

/** The layers of the server. The surfaces do not know each other; the command line starts them. */
export const serverLayers: Layering = {
  folder: 'packages/server/src',
  arrows: {
    wire: [],
    operations: ['wire'],
    host: ['wire', 'operations'],
    http: belowSurfaces,
    mcp: belowSurfaces,
    rpc: belowSurfaces,
    cli: [...belowSurfaces, 'http', 'mcp', 'rpc'],
  },
}

/** Finds imports that go against an arrow. Tests are free to import any layer. */
export function findWrongArrows(files: readonly SourceFile[], layering: Layering = libraryLayers): Fault[] {
  return files.filter(file => !isTest(file)).flatMap(file => wrongArrowsOf(file, layering))
}

function wrongArrowsOf(file: SourceFile, layering: Layering): Fault[] {
  const layer = findLayer(file.path, layering.folder) ?? ''
  const allowed = layering.arrows[layer]
  if (allowed === undefined) {
    const remedy = 'Add the layer to the table in tests/architecture/support/arrows.ts, with what it may import.'
    return [{ path: file.path, fault: `is in "${layer}", which is no layer`, remedy }]
  }
  return listImports(file).flatMap(({ specifier }) => {
    const target = findTarget(file, specifier)
    if (target === undefined) return []
    const targetLayer = findLayer(target, layering.folder)
    if (targetLayer === layer || (targetLayer !== undefined && allowed.includes(targetLayer))) return []
    const mayImport = allowed.length === 0 ? 'nothing beside itself' : allowed.join(', ')
    const remedy = `"${layer}" may import ${mayImport}. Move the code down, or hand the thing in as an argument.`
    return [{ path: file.path, fault: `imports ${specifier}`, remedy }]
  })
}

/** Finds imports of packages and built-in modules where only our own files may be imported. */
export function findForeignImports(files: readonly SourceFile[]): Fault[] {
  return files
    .filter(file => !isTest(file) && !nodeLayers.includes(findLayer(file.path) ?? ''))
    .flatMap(file =>
      listImports(file)
        .filter(
          ({ specifier, isStatic }) => !specifier.startsWith('.') && !(specifier.startsWith('node:') && !isStatic),
        )
        .map(({ specifier }) => ({
          path: file.path,
          fault: `imports ${specifier}`,
          remedy:
            'The library runs anywhere and has no dependencies: only backends and node import packages and node: modules.',
        })),
    )
}

/** Finds files that import each other in a circle; each circle is told once. */
export function findCycles(files: readonly SourceFile[]): Fault[] {
  const targets = new Map(files.map(file => [file.path, relativeTargets(file)]))
  const faults: Fault[] = []
  const done = new Set<string>()
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      const circle = [...trail.slice(start), path].map(step => step.replace(`${layersFolder}/`, ''))
      faults.push({
        path,
        fault: `imports itself: ${circle.join(' → ')}`,
        remedy: 'Move what both need into a third file.',
      })
      return
    }
    if (done.has(path)) return
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path])
    done.add(path)
  }
  for (const path of targets.keys()) walk(path, [])
  return faults
}

function relativeTargets(file: SourceFile): string[] {
  return listImports(file)
    .map(({ specifier }) => findTarget(file, specifier))
    .filter(target => target !== undefined)
}
