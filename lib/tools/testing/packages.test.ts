import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const project = join(import.meta.dirname, '../../..')
const read = (file: string): unknown => JSON.parse(readFileSync(join(project, file), 'utf8'))

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      link: z.boolean().optional(),
      dev: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
})

const wanted = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
})

const locked = Object.entries(lock.parse(read('package-lock.json')).packages).filter(([path]) => path !== '')

test('substituted package: each is locked by its SHA-512, and none comes from elsewhere than the registry', () => {
  const loose = locked.filter(
    ([, { integrity, resolved, link }]) =>
      link === true ||
      !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') ||
      (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')),
  )
  expect(loose.map(([path]) => path)).toEqual([])
  expect(locked.length).toBeGreaterThan(100)
})

test('no package that a production install brings runs a script when it is installed', () => {
  const scripted = locked.filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev)
  expect(scripted.map(([path]) => path)).toEqual([])
})

test('package.json names exact versions alone', () => {
  const { dependencies, devDependencies, optionalDependencies } = wanted.parse(read('package.json'))
  for (const version of Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies }))
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
})
