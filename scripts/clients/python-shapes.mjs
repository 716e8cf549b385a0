/** Python types of JSON Schemas: the types of parameters, and TypedDicts for what operations give. */

const scalars = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }

export function pythonShapes() {
  /** Definitions by name, in the order in which they were met. */
  const shapes = new Map()

  /** The type of a field: any mapping and any sequence will do. */
  function inputType(schema, whole) {
    const { $ref, type, items, format } = schema
    if ($ref !== undefined)
      return $ref === '#/$defs/JsonValue' ? 'object' : inputType(whole.$defs[$ref.split('/').at(-1)], whole)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined) return union(choices.map(choice => inputType(choice, whole)))
    const known = literalType(schema)
    if (known !== undefined) return known
    if (type === 'array') return `Sequence[${inputType(items ?? {}, whole)}]`
    if (type === 'object') return 'Mapping[str, object]'
    if (format === 'date-time') return 'str | datetime'
    return scalars[type] ?? 'object'
  }

  /** The type of a result. `name` is for a shape that has none of its own. */
  function outputType(schema, whole, name) {
    const { $ref, type, items, properties, additionalProperties } = schema
    if ($ref === '#/$defs/JsonValue') return 'Any'
    if ($ref !== undefined) {
      const shape = $ref.split('/').at(-1)
      const meant = whole.$defs[shape]
      return define(shape, () => (meant.properties ? typedDict(meant, whole, shape) : outputType(meant, whole, shape)))
    }
    const choices = schema.oneOf ?? schema.anyOf
    if (choices !== undefined) {
      return union(choices.map((choice, at) => outputType(choice, whole, `${name}${choiceName(choice, at)}`)))
    }
    const known = literalType(schema)
    if (known !== undefined) return known
    if (type === 'array') return `list[${outputType(items ?? {}, whole, `${name}Item`)}]`
    if (properties !== undefined) return define(name, () => typedDict(schema, whole, name))
    if (type === 'object') {
      const isTyped = typeof additionalProperties === 'object'
      return `dict[str, ${isTyped ? outputType(additionalProperties, whole, `${name}Item`) : 'Any'}]`
    }
    return scalars[type] ?? 'Any'
  }

  function define(name, make) {
    if (!shapes.has(name)) {
      shapes.set(name, undefined)
      const made = make()
      // A choice of several shapes, or a name for another type.
      if (shapes.get(name) === undefined) shapes.set(name, { alias: made })
    }
    return name
  }

  function typedDict({ properties, required = [] }, whole, name) {
    const isCommit = ['agent', 'intent', 'timestamp'].every(key => key in properties)
    const members = Object.entries(properties).map(([key, schema]) => {
      const type = outputType(schema, whole, `${name}${capital(key)}`)
      if (required.includes(key)) return { key, type }
      // The client gives them as None: `with_absent`.
      if (isCommit && ['reasoning', 'confidence'].includes(key)) return { key, type: `${type} | None` }
      return { key, type: `NotRequired[${type}]` }
    })
    shapes.set(name, { members })
    return name
  }

  function textOf([name, { alias, members }]) {
    if (alias !== undefined) return `${name} = Union[${alias.split(' | ').map(quoted).join(', ')}]`
    if (members.every(({ key }) => /^[a-z_]\w*$/.test(key) && key !== 'from')) {
      const lines = members.map(({ key, type }) => `    ${key}: ${type}`)
      return `class ${name}(TypedDict):\n${lines.join('\n') || '    pass'}\n`
    }
    const lines = members.map(({ key, type }) => `    ${quoted(key)}: ${quoted(type)},`)
    return `${name} = TypedDict(${quoted(name)}, {\n${lines.join('\n')}\n})\n`
  }

  return {
    inputType,
    outputType,
    names: () => [...shapes.keys()].sort(),
    text: head =>
      [
        head,
        '"""The shapes of results."""\n',
        'from __future__ import annotations\n',
        'from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union\n',
        'if TYPE_CHECKING:\n    from typing_extensions import NotRequired\n\n',
        `__all__ = [${[...shapes.keys()].sort().map(quoted).join(', ')}]\n\n`,
        [...shapes].map(textOf).join('\n'),
        '',
      ].join('\n'),
  }
}

const quoted = text => JSON.stringify(text)

const capital = key => key.replace(/(^|_)(\w)/g, (_, __, letter) => letter.toUpperCase())

function literalType({ enum: choices, const: only }) {
  const values = choices ?? (only === undefined ? undefined : [only])
  if (values === undefined) return undefined
  return `Literal[${values.map(value => (value === true ? 'True' : value === false ? 'False' : quoted(value))).join(', ')}]`
}

/** A choice is named after the constant that tells it from the others. */
function choiceName({ properties = {} }, at) {
  const told = Object.values(properties).find(property => property.const !== undefined || property.enum !== undefined)
  const text = told?.const ?? told?.enum?.[0]
  return typeof text === 'string' ? capital(text.replaceAll('-', '_')) : `${at + 1}`
}

function union(types) {
  return [...new Set(types)].join(' | ')
}
