/**
 * A graph as a Mermaid flowchart, valid for every name that a node can have.
 *
 * Ids are numbers given in order, so that no two names collide and no name is read as syntax; labels are quoted, with
 * everything that Mermaid or HTML could take for something else written as an entity.
 */

import { END, START } from '../model/targets.ts'
import type { GraphPicture, PictureNode } from './public-types.ts'

/** Draws a graph. A conditional edge is dotted; a subgraph is a box around its own nodes. */
export function mermaidOf(picture: GraphPicture): string {
  return ['flowchart TD', ...drawn(picture, 'n', '  ')].join('\n')
}

/** The lines of one graph. `prefix` begins the ids of its nodes, and of those inside it. */
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
  // Waiting is part of the shape: a hexagon for a join, a rounded box for what runs last.
  if (defer) return [`${indent}${id}(${quoted(name)})`]
  return join ? [`${indent}${id}{{${quoted(name)}}}`] : [`${indent}${id}[${quoted(name)}]`]
}

/** A label as Mermaid takes it: quoted, with all but plain letters, digits and spaces as entities. */
function quoted(label: string): string {
  const text = Array.from(label, letter =>
    /[\p{L}\p{N}_ -]/u.test(letter) ? letter : `#${letter.codePointAt(0)};`,
  ).join('')
  return `"${text}"`
}
