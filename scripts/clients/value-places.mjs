/** Where values of states are in the fields or the result of an operation, so that a client converts them and nothing else. */

const named = new Map()

/**
 * True for a value, members of an object, the places of each item of a list, or the name of a shape; undefined without any.
 * Shapes that contain themselves are named.
 */
export function valuePlaces(schema, whole) {
  const { $ref } = schema
  if ($ref === '#/$defs/JsonValue') return true
  if ($ref !== undefined) return ofShape($ref.split('/').at(-1), whole)
  const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf
  if (choices !== undefined) {
    return merged(choices.map(choice => valuePlaces(choice, whole)))
  }
  if (schema.items !== undefined) {
    const inside = valuePlaces(schema.items, whole)
    return inside === undefined ? undefined : [inside]
  }
  if (schema.type === 'object' && schema.additionalProperties === true) return true
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    // A JSON Schema is a document with keys such as $ref, and no value of a state.
    const places = name === 'schema' ? undefined : valuePlaces(member, whole)
    return places === undefined ? [] : [[name, places]]
  })
  if (typeof schema.additionalProperties === 'object') {
    const places = valuePlaces(schema.additionalProperties, whole)
    if (places !== undefined) members.push(['*', places])
  }
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** The shapes that were met, by name. */
valuePlaces.named = () => Object.fromEntries([...named].filter(([, places]) => places !== undefined))

function ofShape(name, whole) {
  if (!named.has(name)) {
    named.set(name, name)
    named.set(name, valuePlaces(whole.$defs[name], whole))
  }
  return named.get(name) === undefined ? undefined : name
}

/** One place is a value in one choice and something else in another only where the value is what counts. */
function merged(places) {
  const found = places.filter(place => place !== undefined)
  if (found.length === 0) return undefined
  if (found.some(place => typeof place !== 'object' || Array.isArray(place))) return found[0]
  return Object.assign({}, ...found)
}
