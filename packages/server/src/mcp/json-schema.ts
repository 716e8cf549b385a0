/** JSON Schema as zod emits it. */
export type JsonSchema = Readonly<Record<string, unknown>>

export type Defs = Readonly<Record<string, JsonSchema>>

/** The schema that a reference leads to, and its name. */
export function resolved(schema: JsonSchema, defs: Defs): { readonly name?: string; readonly schema: JsonSchema } {
  const ref = schema['$ref']
  if (typeof ref !== 'string') return { schema }
  const name = ref.slice('#/$defs/'.length)
  return { name, schema: defs[name]! }
}

export function propertiesOf(schema: JsonSchema): Defs {
  return (schema['properties'] ?? {}) as Defs
}

/** The options of a union. */
export function optionsOf(schema: JsonSchema, defs: Defs): readonly JsonSchema[] | undefined {
  const options = (schema['oneOf'] ?? schema['anyOf']) as readonly JsonSchema[] | undefined
  return options?.map(option => resolved(option, defs).schema)
}
