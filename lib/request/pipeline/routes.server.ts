import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RouteHandler, Segments } from '#lib/request/pipeline/spec.server'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** A route file: its path as Next spells it (`/api/admin/scopes/[scope]`) and its exported methods. */
export type Route = { path: string; handlers: Partial<Record<Method, RouteHandler>> }

/** `**` leaves out folders that begin with a dot: the searches of SCIM (RFC 7644 §3.4.3). */
export const routeFilePatterns = ['app/**/route.ts', 'app/**/.search/route.ts']

async function routeFiles(root: string): Promise<{ file: string; href: string }[]> {
  const files: string[] = []
  for await (const file of glob(routeFilePatterns, { cwd: root })) files.push(file)
  return files
    .sort()
    .map((file) => ({ file, href: pathToFileURL(join(/* turbopackIgnore: true */ root, file)).href }))
}

/**
 * Where Node itself loads the routes, this before `loadRoutes` saves a third of the processor time of a start and 100 MB: for each
 * import() Node goes through everything that its module imports, and here it is one for all.
 */
export async function importRoutes(root = process.cwd()): Promise<void> {
  const imports = (await routeFiles(root)).map(({ href }) => `import ${JSON.stringify(href)}`)
  await import(/* turbopackIgnore: true */ `data:text/javascript,${encodeURIComponent(imports.join('\n'))}`)
}

/** Loads every `app/**\/route.ts`: the folder tree is the URL tree, here as under Next. */
export async function loadRoutes(root = process.cwd()): Promise<Route[]> {
  return Promise.all(
    (await routeFiles(root)).map(async ({ file, href }) => {
      const module = (await import(/* turbopackIgnore: true */ href)) as Route['handlers']
      const path = `/${file.split('/').slice(1, -1).join('/')}`
      const handlers = Object.fromEntries(
        METHODS.filter((name) => module[name]).map((name) => [name, module[name]]),
      )
      return { path, handlers }
    }),
  )
}

/** Part of the tree of paths: what follows a word or a variable segment. */
type Branch = { words: Map<string, Branch>; variable?: { name: string; branch: Branch }; route?: Route }

const newBranch = (): Branch => ({ words: new Map() })

function branchAt(branch: Branch, segment: string): Branch {
  const name = /^\[(\w+)\]$/.exec(segment)?.[1]
  if (name !== undefined) {
    branch.variable ??= { name, branch: newBranch() }
    return branch.variable.branch
  }
  const next = branch.words.get(segment) ?? newBranch()
  branch.words.set(segment, next)
  return next
}

export type Found = { route: Route; segments: Record<string, string> }

function foundBelow(branch: Branch, segments: readonly string[], at = 0): Found | undefined {
  const segment = segments[at]
  if (segment === undefined) return branch.route && { route: branch.route, segments: {} }
  const { words, variable } = branch
  const word = words.get(segment)
  const byWord = word && foundBelow(word, segments, at + 1)
  if (byWord || !variable) return byWord
  const found = foundBelow(variable.branch, segments, at + 1)
  return found && { ...found, segments: { [variable.name]: segment, ...found.segments } }
}

/** Finds the route of a path by its segments. Like under Next, words precede variables: `natips/topurchase` is not `natips/[natip]`. */
export function routeFinder(routes: readonly Route[]): (segments: readonly string[]) => Found | undefined {
  const root = newBranch()
  // Next needs a catch-all route for unknown paths, which is no operation.
  for (const route of routes)
    if (!route.path.includes('[...'))
      route.path.split('/').filter(Boolean).reduce(branchAt, root).route = route
  return (segments) => foundBelow(root, segments)
}

let finder: Promise<ReturnType<typeof routeFinder>> | undefined

export type Operated = { handler: RouteHandler; segments: Segments }

/** The operation of a path below {api}. */
export async function operationAt(method: Method, path: string): Promise<Operated | undefined> {
  finder ??= loadRoutes().then(routeFinder)
  const find = await finder
  const { route, segments = {} } = find(`api${path}`.split('/')) ?? {}
  const handler = route?.handlers[method]
  return handler && { handler, segments }
}
