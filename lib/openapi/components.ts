import type { JsonSchema } from '#lib/openapi/schema'

/** Components shared by several operations. A different component with the same name gets a number. */
export class Components {
  readonly schemas: JsonSchema
  readonly responses: JsonSchema = {}

  constructor(schemas: JsonSchema) {
    this.schemas = schemas
  }

  schema(name: string, value: JsonSchema): JsonSchema {
    return { $ref: `#/components/schemas/${keep(this.schemas, name, value)}` }
  }

  response(name: string, value: JsonSchema): JsonSchema {
    return { $ref: `#/components/responses/${keep(this.responses, name, value)}` }
  }
}

function keep(components: JsonSchema, name: string, value: JsonSchema): string {
  const text = JSON.stringify(value)
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? name : `${name}-${number}`
    components[key] ??= value
    if (JSON.stringify(components[key]) === text) return key
  }
}
