/**
 * Checks a changed part of a state against a JSON Schema that it satisfied before the change.
 *
 * Old and new are walked side by side, and shared nodes are not read. Keywords about one part are checked for the parts that
 * changed, keywords about names or counts when those changed. Keywords about an object as a whole are checked on the properties
 * they can see; where they can see any property, or look at a list, and for new parts, on the whole value.
 */

import {
  evaluateJsonSchema,
  isSchemaObject,
  type JsonSchemaDocument,
  judge,
  patternsOf,
  type SchemaNode,
  type SchemaObject,
  schemasOfProperty,
  userKey,
} from '../../core/index.ts'
import { type Journal, pausePoint, type Work } from '../../store/index.ts'
import {
  type Child,
  type ContainerNode,
  containerOfChild,
  contentOf,
  countOf,
  decryptedChild,
  differingElements,
  differingKeys,
  type Entry,
  entriesOf,
  familyOf,
  findIn,
  isSameContent,
} from '../../tree/index.ts'
import { reportedChild } from '../state/decode-value.ts'
import { type Footprint, findFootprint } from './footprint.ts'

/** A violated keyword at a path, and the value there. */
export interface Fault {
  readonly path: readonly string[]
  readonly rule: string
  readonly message: string
  readonly value: unknown
}

export interface Descent {
  readonly journal: Journal
  readonly document: JsonSchemaDocument
  readonly onFault: (fault: Fault) => void
}

/** Checks a child. `before` is the valid child that it replaces; undefined when there is none. */
export function* descend(
  descent: Descent,
  schema: SchemaNode,
  before: Child | undefined,
  after: Child,
  path: readonly string[],
  keyword: string = 'false',
): Work<void> {
  if (schema === true || (before !== undefined && isSameContent(before, after))) return
  if (schema === false || before === undefined || leadsBack(descent, schema)) {
    return yield* askWhole(descent, schema, after, path, keyword)
  }
  const { context } = descent.journal
  const now = yield* containerOfChild(context, yield* decryptedChild(context, after, 0))
  const then = yield* containerOfChild(context, yield* decryptedChild(context, before, 0))
  if (now === undefined || then === undefined || familyOf(now) !== familyOf(then)) {
    return yield* askWhole(descent, schema, after, path, keyword)
  }
  const isMap = familyOf(now).leaf === 'map'
  const footprint = findFootprint(schema, descent.document.resolve)
  // When the length changes, an index may hold another element than before.
  const isShifted = !isMap && schema['prefixItems'] !== undefined && countOf(now) !== countOf(then)
  if (isShifted || (footprint !== undefined && (!isMap || footprint.names === undefined))) {
    return yield* askWhole(descent, schema, after, path, keyword)
  }
  const target = schema['$ref'] === undefined ? undefined : descent.document.resolve(schema)
  if (target !== undefined) yield* descend(descent, target, before, after, path)
  for (const part of (schema['allOf'] ?? []) as readonly SchemaNode[]) {
    yield* descend(descent, part, before, after, path)
  }
  const place = { child: after, path }
  if (isMap) yield* descendMap(descent, schema, then, now, place, footprint)
  else yield* descendList(descent, schema, then, now, place)
}

interface Place {
  readonly child: Child
  readonly path: readonly string[]
}

/** Whether a schema refers to itself at the same place, so that following it would not terminate. */
function leadsBack(
  { document }: Pick<Descent, 'document'>,
  schema: SchemaNode,
  trail: readonly SchemaNode[] = [],
): boolean {
  if (!isSchemaObject(schema)) return false
  if (trail.includes(schema)) return true
  const target = schema['$ref'] === undefined ? [] : [document.resolve(schema)]
  const parts = [...target, ...((schema['allOf'] ?? []) as readonly SchemaNode[])]
  return parts.some(part => leadsBack({ document }, part, [...trail, schema]))
}

function* askWhole(
  descent: Descent,
  schema: SchemaNode,
  child: Child,
  path: readonly string[],
  keyword: string,
): Work<void> {
  const { journal, document, onFault } = descent
  const value = yield* reportedChild(journal.context, child)
  for (const issue of yield* paused(descent, evaluateJsonSchema(schema, value, document.resolve))) {
    if (journal.nodes.isPauseDue?.() === true) yield pausePoint
    const rule = schema === false ? keyword : issue.rule
    onFault({ path: [...path, ...issue.path], rule, message: issue.message, value: valueAt(value, issue.path) })
  }
}

/** Takes steps of validation, with a pause point between them where the work may pause. */
function* paused<T>({ journal }: Descent, steps: Generator<void, T>): Work<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (journal.nodes.isPauseDue !== undefined) yield pausePoint
  }
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, key) => (at as { readonly [key: string]: unknown })[key], value)
}

function* descendMap(
  descent: Descent,
  schema: SchemaObject,
  before: ContainerNode,
  after: ContainerNode,
  place: Place,
  footprint: Footprint | undefined,
): Work<void> {
  const { path } = place
  const patterns = patternsOf(schema)
  let isSameNames = true
  let isSeen = false
  for (const { key, before: then, after: now } of yield* differingKeys(descent.journal.context, before, after)) {
    const name = userKey(key)
    if (footprint?.names?.has(name) === true) isSeen = true
    const was = isThere(then)
    const is = isThere(now)
    if (was !== is) isSameNames = false
    if (!is) continue
    if (!was) yield* askName(descent, schema, name, path)
    for (const [keyword, part] of yield* paused(descent, schemasOfProperty(schema, patterns, name))) {
      yield* descend(descent, part, was ? then!.child : undefined, now!.child, [...path, name], keyword)
    }
  }
  if (!isSameNames) yield* askNames(descent, schema, after, place)
  if (isSeen) yield* askSeen(descent, footprint!, after, place)
}

/** Checks keywords about an object as a whole, on an object of the properties that they can see. */
function* askSeen(
  descent: Descent,
  { schema, names }: Footprint,
  after: ContainerNode,
  { child, path }: Place,
): Work<void> {
  const { journal, document, onFault } = descent
  const seen: { [name: string]: unknown } = Object.create(null)
  for (const name of names!) {
    const entry = yield* findIn(journal.context, after, name)
    if (entry !== undefined) seen[name] = yield* reportedChild(journal.context, entry.child)
  }
  const issues = yield* paused(descent, evaluateJsonSchema(schema, seen, document.resolve))
  for (const { path: inside, rule, message } of issues) {
    const value = inside.length === 0 ? yield* reportedChild(journal.context, child) : valueAt(seen, inside)
    onFault({ path: [...path, ...inside], rule, message, value })
  }
}

/** A property whose value is undefined counts as absent. */
function isThere(entry: Entry | undefined): boolean {
  return entry !== undefined && contentOf(entry.child) !== '{"$undefined":true}'
}

function* askName(
  descent: Descent,
  { propertyNames }: SchemaObject,
  name: string,
  path: readonly string[],
): Work<void> {
  const { document, onFault } = descent
  if (propertyNames === undefined) return
  for (const { message } of yield* paused(
    descent,
    evaluateJsonSchema(propertyNames as SchemaNode, name, document.resolve),
  )) {
    const at = [...path, name]
    onFault({ path: at, rule: 'propertyNames', message: `has a name that ${message}`, value: name })
  }
}

/** Checks the keywords about names of properties, without reading values. */
function* askNames(descent: Descent, schema: SchemaObject, after: ContainerNode, place: Place): Work<void> {
  const { required, dependentRequired, minProperties, maxProperties } = schema
  const rules = { required, dependentRequired, minProperties, maxProperties }
  const asked = Object.fromEntries(Object.entries(rules).filter(([, rule]) => rule !== undefined))
  if (Object.keys(asked).length === 0) return
  const names =
    minProperties === undefined && maxProperties === undefined
      ? yield* namesAmong(descent.journal, after, namesIn(asked))
      : (yield* entriesOf(descent.journal.context, after)).filter(isThere).map(({ key }) => userKey(key))
  const shape = Object.fromEntries(names.map(name => [name, true]))
  yield* tell(descent, judge(asked, shape), place)
}

/** Reports issues. The value is read only when there are some. */
function* tell(
  { journal, onFault }: Descent,
  found: readonly { readonly rule: string; readonly message: string }[],
  { child, path }: Place,
): Work<void> {
  if (found.length === 0) return
  const value = yield* reportedChild(journal.context, child)
  for (const { rule, message } of found) onFault({ path, rule, message, value })
}

function namesIn({ required = [], dependentRequired = {} }: SchemaObject): readonly string[] {
  const dependent = Object.entries(dependentRequired as Readonly<Record<string, readonly string[]>>)
  return [...new Set([...(required as readonly string[]), ...dependent.flatMap(([name, others]) => [name, ...others])])]
}

function* namesAmong({ context }: Journal, map: ContainerNode, names: readonly string[]): Work<readonly string[]> {
  const found: string[] = []
  for (const name of names) if (isThere(yield* findIn(context, map, name))) found.push(name)
  return found
}

function* descendList(
  descent: Descent,
  schema: SchemaObject,
  before: ContainerNode,
  after: ContainerNode,
  place: Place,
): Work<void> {
  const { minItems, maxItems, prefixItems = [], items } = schema
  const limits = { ...(minItems === undefined ? {} : { minItems }), ...(maxItems === undefined ? {} : { maxItems }) }
  yield* tell(descent, judge(limits, new Array(countOf(after))), place)
  const first = prefixItems as readonly SchemaNode[]
  if (first.length === 0 && items === undefined) return
  const { start, before: then, after: now } = yield* differingElements(descent.journal.context, before, after)
  // A moved element is still valid, unless indexes have schemas of their own.
  const moved = first.length > 0 ? new Set() : new Set(then.map(({ child }) => contentOf(child)))
  for (const [i, { child }] of now.entries()) {
    const index = start + i
    const isPrefix = index < first.length
    const part = isPrefix ? first[index] : (items as SchemaNode | undefined)
    if (part === undefined || moved.has(contentOf(child))) continue
    yield* descend(
      descent,
      part,
      then[i]?.child,
      child,
      [...place.path, `${index}`],
      isPrefix ? 'prefixItems' : 'items',
    )
  }
}
