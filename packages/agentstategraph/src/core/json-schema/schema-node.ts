/** A JSON Schema as parsed JSON, and what its keywords hold. */

export type SchemaNode = boolean | SchemaObject
export interface SchemaObject {
  readonly [keyword: string]: unknown
}

/** Returns the schema that the `$ref` of another one means. */
export type Resolve = (schema: SchemaObject) => SchemaNode

/** Keywords that hold one schema. */
export const schemaKeywords: readonly string[] = [
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'if',
  'then',
  'else',
  'not',
  'unevaluatedItems',
  'unevaluatedProperties',
]
/** Keywords that hold a list of schemas. */
export const listKeywords: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
/** Keywords that hold schemas by name. */
export const mapKeywords: readonly string[] = ['$defs', 'properties', 'patternProperties', 'dependentSchemas']

export function isSchemaObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The schemas directly inside one, each with the path to it. */
export function partsOf(schema: SchemaObject): readonly (readonly [path: readonly string[], part: unknown])[] {
  const parts: (readonly [readonly string[], unknown])[] = []
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    if (schemaKeywords.includes(keyword)) parts.push([[keyword], value])
    else if (listKeywords.includes(keyword) && Array.isArray(value)) {
      for (const [i, part] of value.entries()) parts.push([[keyword, `${i}`], part])
    } else if (mapKeywords.includes(keyword) && isSchemaObject(value)) {
      for (const [name, part] of Object.entries(value)) parts.push([[keyword, name], part])
    }
  }
  return parts
}

/** The JSON type of a value; undefined for values that JSON lacks. */
export function jsonTypeOf(value: unknown): string | undefined {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return typeof value
    case 'number':
      return Number.isFinite(value) ? 'number' : undefined
    case 'object':
      return isJsonObject(value) ? 'object' : undefined
    default:
      return undefined
  }
}

function isJsonObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.prototype.toString.call(value) === '[object Object]'
}
