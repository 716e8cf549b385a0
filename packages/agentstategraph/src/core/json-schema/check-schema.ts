/** Checks the keywords of a schema when the schema is made, so that validation can rely on them. */

import { type Analysis, newAnalysis } from '../patterns/analysis.ts'
import { reasonAgainstMatching } from '../patterns/matcher.ts'
import { invalid } from './registry.ts'
import { isSchemaObject, listKeywords, mapKeywords, type SchemaObject, schemaKeywords } from './schema-node.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'
const types: readonly unknown[] = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']
const counts = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
]
const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
/** Keywords that are not supported; ignoring them would accept values that the schema refuses. */
const refused: Readonly<Record<string, string>> = {
  $dynamicRef: '$dynamicRef is not supported: use $ref',
  $recursiveRef: '$recursiveRef is of another dialect: use $ref',
  dependencies: 'dependencies is of another dialect: use dependentRequired or dependentSchemas',
  additionalItems: 'additionalItems is of another dialect: use prefixItems and items',
}

/** Makes the check of one document. It throws `schema-invalid` for the first malformed keyword of each schema in it. */
export function newSchemaCheck(): (schema: SchemaObject, path: readonly string[]) => void {
  const analysis = newAnalysis()
  return (schema, path) => {
    for (const keyword of Object.keys(schema)) {
      const value = schema[keyword]
      const reason = Object.hasOwn(refused, keyword) ? refused[keyword] : reasonAgainst(keyword, value, analysis)
      if (reason !== undefined) throw invalid([...path, keyword], reason)
    }
  }
}

function reasonAgainst(keyword: string, value: unknown, analysis: Analysis): string | undefined {
  if (schemaKeywords.includes(keyword)) return isSchema(value) ? undefined : notSchema(keyword, value)
  if (listKeywords.includes(keyword)) {
    return Array.isArray(value) && value.length > 0 ? undefined : 'it has to be a list of schemas that is not empty'
  }
  if (mapKeywords.includes(keyword))
    return isSchemaObject(value) ? patternReason(keyword, value, analysis) : 'it has to be an object of schemas'
  if (counts.includes(keyword)) {
    return typeof value === 'number' && Number.isInteger(value) && value >= 0
      ? undefined
      : 'it has to be a whole number of 0 or more'
  }
  if (numbers.includes(keyword)) return typeof value === 'number' ? undefined : 'it has to be a number'
  return single(keyword, value, analysis)
}

function single(keyword: string, value: unknown, analysis: Analysis): string | undefined {
  switch (keyword) {
    case '$schema':
      return value === dialect || value === `${dialect}#` ? undefined : `only ${dialect} is known`
    case '$ref':
    case '$id':
    case '$anchor':
    case '$dynamicAnchor':
      return typeof value === 'string' ? undefined : 'it has to be a text'
    case 'type':
      return (Array.isArray(value) ? value : [value]).every(type => types.includes(type))
        ? undefined
        : `it has to be one or more of ${types.join(', ')}`
    case 'enum':
      return Array.isArray(value) ? undefined : 'it has to be a list of values'
    case 'multipleOf':
      return typeof value === 'number' && value > 0 ? undefined : 'it has to be a number above 0'
    case 'pattern':
      return typeof value === 'string' ? reasonAgainstPattern(value, analysis) : 'it has to be a text'
    case 'uniqueItems':
      return typeof value === 'boolean' ? undefined : 'it has to be true or false'
    case 'required':
      return isTexts(value) ? undefined : 'it has to be a list of names'
    case 'dependentRequired':
      return isSchemaObject(value) && Object.values(value).every(isTexts)
        ? undefined
        : 'it has to be lists of names by name'
    default:
      return undefined
  }
}

function patternReason(keyword: string, value: SchemaObject, analysis: Analysis): string | undefined {
  if (keyword !== 'patternProperties') return undefined
  return Object.keys(value)
    .map(pattern => reasonAgainstPattern(pattern, analysis))
    .find(reason => reason !== undefined)
}

function reasonAgainstPattern(pattern: string, analysis: Analysis): string | undefined {
  try {
    new RegExp(pattern, 'u')
  } catch {
    return `${JSON.stringify(pattern)} is no regular expression`
  }
  const reason = reasonAgainstMatching(pattern, analysis)
  return reason === undefined ? undefined : `${JSON.stringify(pattern)} is refused: ${reason}`
}

function notSchema(keyword: string, value: unknown): string {
  return keyword === 'items' && Array.isArray(value)
    ? 'a list of schemas is written prefixItems in this dialect'
    : 'it has to be a schema'
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isSchemaObject(value)
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(one => typeof one === 'string')
}
