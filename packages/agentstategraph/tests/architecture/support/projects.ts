/**
 * Whether the compiler is told the same arrows as the table.
 *
 * A project that references more than its arrows, or knows Node's types
 * outside the layers that know Node, would let a wrong import compile.
 */
import { arrows, nodeLayers } from './arrows.ts'
import type { Fault } from './source-file.ts'

/** The part of a tsconfig.json that decides what a layer can import. */
export interface ProjectConfig {
  readonly compilerOptions?: { readonly types?: readonly string[] }
  readonly references?: readonly { readonly path: string }[]
}

/** Finds what a layer's project lets through that its arrows forbid. */
export function findLooseProject(layer: string, path: string, config: ProjectConfig): Fault[] {
  const referenced = (config.references ?? []).map(reference => reference.path.replace('../', ''))
  const extra = referenced.filter(other => !arrows[layer]?.includes(other))
  const types = nodeLayers.includes(layer) ? [] : (config.compilerOptions?.types ?? [])
  return [
    ...extra.map(other => ({
      path,
      fault: `references "${other}"`,
      remedy: `The table in tests/architecture/support/arrows.ts does not let "${layer}" import it. Take the reference out.`,
    })),
    ...types.map(name => ({
      path,
      fault: `knows the types of "${name}"`,
      remedy: 'Only backends and node may; elsewhere such code would not run in a browser. Take it out.',
    })),
  ]
}
