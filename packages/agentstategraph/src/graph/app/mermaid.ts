/**
 * Draws a graph as a Mermaid flowchart that is valid for every name of a node.
 *
 * Ids are numbers, so that names neither collide nor are read as syntax. Labels are quoted, and characters with a meaning
 * in Mermaid or HTML are entities.
 */

import { END, START } from '../model/targets.ts'
import type { GraphPicture, PictureNode } from './public-types.ts'

/** Draws a graph. A conditional edge is dotted; a subgraph is a box around its own nodes. */
export function mermaidOf(picture: GraphPicture): string {
  return ['flowchart TD', ...drawn(picture, 'n', '  ')].join('\n')
}

/** The lines of one graph. The ids of its nodes begin with `prefix`. */
function drawn(picture: GraphPicture, prefix: string, indent: string): readonly string[] {
  const ids = new Map([START, ...picture.nodes.map(({ name }) => name), END].map((name, i) => [name, `${prefix}${i}`]))
  const idOf = (name: string): string => ids.get(name)!
  return [
    `${indent}${idOf(START)}((start))`,
    ...picture.nodes.flatMap(node => drawnNode(node, idOf(node.name), indent)),
    `${indent}${idOf(END)}((end))`,
    ...picture.edges.map(({ from, to, conditional, label }) => {
      const text = label === undefined || label === '' ? '' : `|${quoted(label)}|`
      return `${indent}${idOf(from)} ${conditional ? '-.->' : '-->'}${text} ${idOf(to)}`
    }),
  ]
}

function drawnNode(node: PictureNode, id: string, indent: string): readonly string[] {
  const { name, subgraph, join, defer } = node
  if (subgraph !== undefined) {
    return [`${indent}subgraph ${id} [${quoted(name)}]`, ...drawn(subgraph, `${id}_`, `${indent}  `), `${indent}end`]
  }
  // A join is a hexagon, a deferred node a rounded box.
  if (defer) return [`${indent}${id}(${quoted(name)})`]
  return join ? [`${indent}${id}{{${quoted(name)}}}`] : [`${indent}${id}[${quoted(name)}]`]
}

/** A quoted label, with all but letters, digits, spaces, `_` and `-` as entities. */
function quoted(label: string): string {
  const text = Array.from(label, letter =>
    /[\p{L}\p{N}_ -]/u.test(letter) ? letter : `#${letter.codePointAt(0)};`,
  ).join('')
  return `"${text}"`
}
