import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const names = z.record(z.string(), z.unknown()).default({})

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ dependencies: names, optionalDependencies: names, peerDependencies: names }),
  ),
})

/** Next imports these itself. */
const forNext = ['next', 'react', 'react-dom']
/** Next's compiler, and types: only a build needs them, although packages depend on them. */
const forBuilds = /^node_modules\/(@next\/swc-|@types\/)/

const importing = /(?:from |import |import\(|require\.resolve\()'((?:@[\w.-]+\/)?[\w-][\w.-]*)/g

/**
 * Folders of the installed packages that the server loads: imported packages of the shipped sources, and their dependencies. Packages of
 * the console are part of the build.
 */
export function neededPackages(source: string, files: string[], always = forNext): string[] {
  const { packages } = lock.parse(JSON.parse(readFileSync(join(source, 'package-lock.json'), 'utf8')))
  const needed = new Set<string>()
  const add = (name: string, from: string): void => {
    const path = find(name, from)
    if (path === undefined || needed.has(path) || forBuilds.test(path)) return
    needed.add(path)
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {}
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      add(next, path)
  }
  /** The nearest folder that Node would find, as installed for this platform. */
  const find = (name: string, from: string): string | undefined => {
    const path = join(from, 'node_modules', name)
    if (packages[path] && existsSync(join(source, path))) return path
    return from === ''
      ? undefined
      : find(name, from.includes('/node_modules/') ? dirname(parentOf(from)) : '')
  }
  const parentOf = (path: string): string =>
    path.slice(0, path.lastIndexOf('/node_modules/') + '/node_modules'.length)
  const sources = files.filter((file) => /^(app|lib)\/.*\.ts$/.test(file))
  const imported = sources.flatMap((file) =>
    [...readFileSync(join(source, file), 'utf8').matchAll(importing)].map(([, name = '']) => name),
  )
  for (const name of [...always, ...imported]) add(name, '')
  return [...needed].sort()
}
