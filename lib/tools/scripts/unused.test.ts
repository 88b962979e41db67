import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { unusedRules } from './unused.js'

const hollow: (source: string) => string = createRequire(import.meta.url)('./hollow.cjs')
const packages = new URL('../../../node_modules/', import.meta.url)

// A rule without its file would have no effect, and the browser would load the code again.
describe.each(Object.keys(unusedRules).map((pattern) => pattern.replace('**/', '')))('%s', (file) => {
  const source = readFileSync(new URL(file, packages), 'utf8')

  test('keeps its names and loses its imports', () => {
    const dropped = hollow(source)
    expect(dropped).toMatch(/^export /m)
    expect(dropped).not.toContain('import')
    expect(dropped.includes('export default')).toBe(source.includes('export default'))
  })
})

test.each(['zod/v4/core/to-json-schema.js', 'zod/v4/core/json-schema-processors.js'])(
  'every name of %s is kept',
  async (file) => {
    const address = new URL(file, packages)
    const names = Object.keys(await import(address.href))
    const dropped = hollow(readFileSync(address, 'utf8'))
    const kept: object = await import(`data:text/javascript,${encodeURIComponent(dropped)}`)
    expect(Object.keys(kept).sort()).toEqual(names.sort())
  },
)
