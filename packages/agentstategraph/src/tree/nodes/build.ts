/**
 * Builds trees from values in memory. It reads and stores nothing.
 */

import { canonicalText, isTagged, type Stored, utf8Length } from '../../core/index.ts'
import type { TreeContext } from './context.ts'
import { longLink } from './long.ts'
import { type Child, type ContainerNode, type Entry, type Link, listFamily, mapFamily, type Writer } from './node.ts'
import { freshLink, inlineText } from './node-text.ts'
import { containerOf } from './sequence.ts'

/** A child with this value, in which `writer` wrote every entry. */
export function childOf(context: TreeContext, value: Stored, writer: Writer): Child {
  if (typeof value !== 'object' || value === null || isTagged(value)) return scalarChild(context, value)
  return settled(context, containerFrom(context, value, writer))
}

/** The root of a state, which is always a node of its own. */
export function rootOf(context: TreeContext, value: Stored, writer: Writer): Link {
  return freshLink(containerFrom(context, value as Stored & object, writer))
}

/** A container as a child: inline in its parent when it is small, else behind a link. */
export function settled(context: TreeContext, node: ContainerNode): Child {
  if (!('items' in node)) {
    const text = inlineText(node, context.limits.inlineBytes)
    if (text !== undefined && fits(text, context.limits.inlineBytes)) return { kind: 'held', node, text }
  }
  return freshLink(node)
}

function containerFrom(context: TreeContext, value: Stored & object, writer: Writer): ContainerNode {
  if (Array.isArray(value)) {
    const elements = value as readonly Stored[]
    const entries = elements.map((element): Entry => ({ key: '', child: childOf(context, element, writer), writer }))
    return containerOf(context, listFamily, entries)
  }
  const map = value as { readonly [key: string]: Stored }
  const entries = Object.keys(map)
    .sort()
    .map((key): Entry => ({ key, child: childOf(context, map[key]!, writer), writer }))
  return containerOf(context, mapFamily, entries)
}

function scalarChild(context: TreeContext, value: Stored): Child {
  const text = canonicalText(value)
  const { inlineBytes, longBytes } = context.limits
  if (fits(text, inlineBytes)) return { kind: 'leaf', value, text }
  if (!fits(text, longBytes)) return longLink(context, value)
  return freshLink({ kind: 'value', value })
}

function fits(text: string, bytes: number): boolean {
  // A UTF-16 unit takes one to three bytes, so most texts need no counting.
  return text.length * 3 <= bytes || (text.length <= bytes && utf8Length(text) <= bytes)
}
