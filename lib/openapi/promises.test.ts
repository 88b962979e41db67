import { describe, expect, test } from 'vitest'
import { brokenBy, type Description, promisesOf } from '#lib/openapi/promises'

type Change = (description: Description) => void

const described = (change: Change = () => {}): string[] => {
  const description: Description = structuredClone({
    paths: {
      '/things/{id}': {
        put: {
          operationId: 'updateThing',
          parameters: [{ name: 'has', in: 'query', schema: { type: 'string' } }],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/thing-input' } } },
          },
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/thing' } } } },
            404: {},
          },
        },
      },
    },
    components: {
      schemas: {
        thing: {
          type: 'object',
          properties: { id: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
          required: ['id'],
        },
        'thing-input': {
          type: 'object',
          properties: { name: { type: 'string', minLength: 1, maxLength: 128 }, kind: { enum: ['A', 'B'] } },
          required: ['name'],
        },
      },
    },
  })
  change(description)
  return promisesOf(description)
}

const operationOf = ({ paths }: Description) => {
  const operation = paths['/things/{id}']?.put
  if (!operation) throw new Error('no operation')
  return operation
}

const schemaOf = ({ components }: Description, name: string) => {
  const schema = components.schemas[name]
  if (!schema) throw new Error(`no ${name}`)
  return schema
}

const sent: (change: (schema: ReturnType<typeof schemaOf>) => void) => Change = (change) => (description) =>
  change(schemaOf(description, 'thing-input'))

const answered: typeof sent = (change) => (description) => change(schemaOf(description, 'thing'))

const broken = (change: Change): string[] => brokenBy(described(change), described())

describe('what a description promises', () => {
  test('is a sorted list of facts', () => {
    expect(described()).toEqual([
      'thing.id is always there',
      'thing.id: integer',
      'thing.tags: array',
      'thing.tags[]: string',
      'thing: object',
      'updateThing 200: thing',
      'updateThing answers 200 application/json',
      'updateThing body must be sent',
      'updateThing body.kind takes "A"',
      'updateThing body.kind takes "B"',
      'updateThing body.name has maxLength 128',
      'updateThing body.name has minLength 1',
      'updateThing body.name must be sent',
      'updateThing body.name: string',
      'updateThing body: object',
      'updateThing query:has',
      'updateThing query:has: string',
      'updateThing reads application/json',
      'updateThing: PUT /things/{id}',
    ])
  })

  test.each<[string, Change, string]>([
    ['an operation', ({ paths }) => delete paths['/things/{id}'], 'gone: updateThing: PUT /things/{id}'],
    ['a filter', (all) => operationOf(all).parameters?.pop(), 'gone: updateThing query:has'],
    [
      'a field of an answer',
      answered(({ properties }) => delete properties?.tags),
      'gone: thing.tags: array',
    ],
    ['its presence', answered((schema) => (schema.required = [])), 'gone: thing.id is always there'],
    [
      'a value',
      sent((schema) => (schema.properties = { ...schema.properties, kind: { enum: ['A'] } })),
      'gone: updateThing body.kind takes "B"',
    ],
  ])('is broken without %s', (_what, change, fact) => {
    expect(broken(change)).toContain(fact)
  })

  test.each<[string, Change, string]>([
    [
      'another field must be sent',
      sent((schema) => (schema.required = ['name', 'kind'])),
      'new: updateThing body.kind must be sent',
    ],
    [
      'a new field must be sent',
      sent((schema) => {
        schema.properties = { ...schema.properties, reason: { type: 'string' } }
        schema.required = ['name', 'reason']
      }),
      'new: updateThing body.reason must be sent',
    ],
    [
      'a text may be less long',
      sent(
        (schema) =>
          (schema.properties = {
            ...schema.properties,
            name: { type: 'string', minLength: 1, maxLength: 64 },
          }),
      ),
      'new: updateThing body.name has maxLength 64',
    ],
    [
      'a text must be longer',
      sent(
        (schema) =>
          (schema.properties = {
            ...schema.properties,
            name: { type: 'string', minLength: 2, maxLength: 128 },
          }),
      ),
      'new: updateThing body.name has minLength 2',
    ],
    [
      'a text gets a form',
      sent(
        (schema) =>
          (schema.properties = {
            ...schema.properties,
            name: { type: 'string', minLength: 1, maxLength: 128, pattern: '^a' },
          }),
      ),
      'new: updateThing body.name has pattern ^a',
    ],
    [
      'a filter is needed',
      (all) =>
        (operationOf(all).parameters = [
          { name: 'has', in: 'query', required: true, schema: { type: 'string' } },
        ]),
      'new: updateThing query:has must be sent',
    ],
  ])('is broken where %s', (_what, change, fact) => {
    expect(broken(change)).toEqual([fact])
  })

  test.each<[string, Change]>([
    [
      'a new operation that demands',
      (all) => (all.paths['/new'] = { post: { ...operationOf(all), operationId: 'createThing' } }),
    ],
    [
      'a new field of an answer',
      answered((schema) => (schema.properties = { ...schema.properties, name: { type: 'string' } })),
    ],
    [
      'a new field that may be sent',
      sent(
        (schema) => (schema.properties = { ...schema.properties, note: { type: 'string', maxLength: 9 } }),
      ),
    ],
    [
      'a wider bound',
      sent(
        (schema) =>
          (schema.properties = {
            ...schema.properties,
            name: { type: 'string', minLength: 0, maxLength: 256 },
          }),
      ),
    ],
    ['a field that need not be sent any more', sent((schema) => (schema.required = []))],
    [
      'another value',
      sent((schema) => (schema.properties = { ...schema.properties, kind: { enum: ['A', 'B', 'C'] } })),
    ],
  ])('is kept with %s', (_what, change) => {
    expect(broken(change)).toEqual([])
  })
})
