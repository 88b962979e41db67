import { expect, test } from 'vitest'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { validate } from '#lib/request/pipeline/validate.server'

test('whatever a document lacks is missing, not malformed, in every operation', async () => {
  const found: string[] = []
  for (const { path, handlers } of await loadRoutes())
    for (const [method, { spec }] of Object.entries(handlers)) {
      const schema = spec.takes?.body
      if (!schema) continue
      const nothing = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, null]))
      for (const result of [{}, nothing].map((document) => validate(schema, document)))
        for (const { code, message } of 'faults' in result ? result.faults : [])
          found.push(`${method} ${path}: ${code} ${message}`)
    }
  expect(found.length).toBeGreaterThan(50)
  // Links that are missing have codes of their own.
  expect(found.filter((each) => /: (CONSTR-PATTERN|GEN-3) /.test(each))).toEqual([])
})
