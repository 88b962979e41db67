import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RouteHandler, Segments } from '#lib/request/pipeline/spec.server'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** A route file: its path as Next spells it (`/api/admin/scopes/[scope]`) and its exported methods. */
export type Route = { path: string; handlers: Partial<Record<Method, RouteHandler>> }

async function routeFiles(root: string): Promise<{ file: string; href: string }[]> {
  const files: string[] = []
  for await (const file of glob('app/**/route.ts', { cwd: root })) files.push(file)
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

/** Like Next, matches words before ids: `natips/topurchase` is not `natips/[natip]`. */
export const wordsFirst = (routes: readonly Route[]): Route[] => {
  const key = ({ path }: Route) => path.replaceAll('[', '\u{ffff}')
  return routes.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
}

type Matcher = { pattern: RegExp; handlers: Route['handlers'] }

let matchers: Promise<Matcher[]> | undefined

const loadMatchers = async (): Promise<Matcher[]> =>
  wordsFirst(await loadRoutes())
    // The catch-all for unknown paths is no operation.
    .filter(({ path }) => !path.includes('[...'))
    .map(({ path, handlers }) => ({
      pattern: new RegExp(`^${path.replaceAll(/\[(\w+)\]/g, '(?<$1>[^/]+)')}$`),
      handlers,
    }))

export type Operated = { handler: RouteHandler; segments: Segments }

/** The operation of a path below {api}. */
export async function operationAt(method: Method, path: string): Promise<Operated | undefined> {
  matchers ??= loadMatchers()
  for (const { pattern, handlers } of await matchers) {
    const match = pattern.exec(`/api${path}`)
    const handler = match && handlers[method]
    if (handler) return { handler, segments: { ...match.groups } }
  }
  return undefined
}
