import { z } from 'zod'
import { documents } from '#lib/openapi/documents'

export type JsonSchema = Record<string, unknown>

const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** JSON Schema 2020-12 of a schema as it validates (`input`) or as it describes an answer (`output`). */
export function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
): { schema: JsonSchema; shared: JsonSchema } {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: node }) => {
      const { minimum, maximum } = node
      // Responses may get new fields: a client that refuses unknown ones would break on the next version.
      if (node.additionalProperties === false) delete node.additionalProperties
      // The bounds of all safe integers carry no information.
      if (minimum === Number.MIN_SAFE_INTEGER) delete node.minimum
      if (maximum === Number.MAX_SAFE_INTEGER) delete node.maximum
      // Zod omits the default of a transformed schema.
      if (zodSchema instanceof z.ZodDefault && typeof zodSchema.def.defaultValue !== 'object')
        node.default =
          node.type === 'string' ? String(zodSchema.def.defaultValue) : zodSchema.def.defaultValue
    },
  })
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')
  const { $schema: _schema, $defs: shared = {}, ...rest } = JSON.parse(text) as JsonSchema
  return { schema: rest, shared: shared as JsonSchema }
}

const text = (description: string): JsonSchema => ({ type: 'string', description })

const faultSchema: JsonSchema = {
  type: 'object',
  properties: {
    code: text('The code of the catalogue'),
    message: text('What is wrong'),
    field: text('The field, link (by its rel) or query parameter that the fault is about. Not in XML'),
  },
  required: ['code', 'message'],
}

const errorSchemas: JsonSchema = {
  errors: {
    type: 'object',
    description: 'In XML: `<errors><error><code/><message/></error></errors>`.',
    properties: {
      links: { type: 'array', items: refTo('link') },
      collection: {
        type: 'array',
        items: faultSchema,
      },
    },
    required: ['links', 'collection'],
  },
  problem: {
    type: 'object',
    description: 'RFC 9457, for clients that accept application/problem+json.',
    properties: {
      type: text('about:blank'),
      title: text('The phrase of the status'),
      status: { type: 'integer' },
      detail: text('The messages of all faults'),
      code: text('The code of the first fault'),
      errors: { type: 'array', items: faultSchema },
      requestId: text('The X-Request-Id of the answer'),
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'errors', 'requestId'],
  },
}

/** The schemas of all response documents, and of their shared parts. */
export function documentSchemas(): JsonSchema {
  const schemas: JsonSchema = { ...errorSchemas }
  for (const [name, document] of Object.entries(documents)) {
    const { schema, shared } = jsonSchema(document, 'output')
    Object.assign(schemas, shared, { [name]: { ...schema, xml: { name } } })
  }
  return schemas
}

/** A collection of such documents (in XML: the plural root, its links, totalSize, then the items, unwrapped). */
const collectionSchema = (item: string): JsonSchema => ({
  type: 'object',
  properties: {
    links: { type: 'array', items: refTo('link') },
    collection: { type: 'array', items: refTo(item), xml: { name: item } },
    totalSize: { type: 'integer', minimum: 0 },
  },
  required: ['links', 'collection', 'totalSize'],
})

/** The schema of the document of a media type. */
export const mediaSchema = (name: string, item: string | null): JsonSchema =>
  item === null ? refTo(name) : collectionSchema(item)
