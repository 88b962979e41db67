import { cpSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { neededPackages } from '#lib/tools/scripts/package/needed'

/* The Debian packages: the server, and programs for other machines, which have the part of the files that they need. */

/** Programs by package: the script that each runs, and further files. */
const programs = {
  'cloud-console-gateway': { entry: 'lib/tools/scripts/gateway.ts', more: ['docs/gateway.md'] },
  cloudctl: { entry: 'lib/tools/scripts/cli.ts', more: ['docs/cli.md', '.next/commands.json'] },
} as const

type Program = keyof typeof programs

export type Package = 'cloud-console' | Program
export const packages: Package[] = ['cloud-console', 'cloud-console-gateway', 'cloudctl']

const common = ['bin/node', 'bin/node.LICENSE', 'package.json', 'CHANGELOG.md']

/** Only these programs use them, unless the server imports one. */
const ofPrograms = [
  'bin/cloudctl',
  'deploy/gateway.env',
  '.next/commands.json',
  'lib/gateway/**/*.ts',
  'lib/tools/scripts/{cli,gateway}.ts',
  'lib/tools/scripts/cli/*.ts',
]

const importing = /^(?:import|export) (?!type )[^;'"]*?from '#(lib\/[^']+)'/gm

/** These files, and those that they import. Lazy imports are left out: cloudctl has them for a checkout without a build. */
export function importedFiles(root: string, entries: readonly string[]): string[] {
  const found = new Set(entries)
  for (const file of found)
    for (const [, path] of readFileSync(join(root, file), 'utf8').matchAll(importing)) found.add(`${path}.ts`)
  return [...found].sort()
}

type From = { root: string; source: string }

/** The files and folders of a program. `root`: the whole program. `source`: where its npm packages were installed. */
export function partOf(name: Program, { root, source }: From): string[] {
  const { entry, more } = programs[name]
  const files = importedFiles(root, [entry])
  return [...common, ...files, ...more, ...neededPackages(source, files, [])]
}

/** What the package of the server leaves to the others. */
export function leftBy(root: string): string[] {
  const theirs = globSync(ofPrograms, { cwd: root })
  const own = globSync('{app,lib}/**/*.ts', { cwd: root }).filter((file) => !theirs.includes(file))
  const needed = new Set(importedFiles(root, own))
  return theirs.filter((file) => !needed.has(file))
}

/** Copies what the package has of the whole program. */
export function collectPart(name: Package, tree: string, from: From): void {
  const paths = name === 'cloud-console' ? ['.'] : partOf(name, from)
  for (const path of paths) cpSync(join(from.root, path), join(tree, path), { recursive: true })
  if (name !== 'cloud-console') return
  for (const path of leftBy(tree)) rmSync(join(tree, path))
  rmSync(join(tree, 'lib/tools/scripts/cli'), { recursive: true, force: true })
}
