import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { answerOf } from '#lib/ground/http/answer.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { routeHandler } from '#lib/request/pipeline/spec.server'
import { createRouter } from '#lib/server/router.server'
import { ORIGIN, testRouter } from '#lib/tools/testing/client'

/* `npm run dev` lets Next route to the files that the front server routes to in production: both must choose the same one. */

type RouterOfNext = {
  getSortedRoutes: (paths: readonly string[]) => string[]
  getRouteRegex: (path: string) => { re: RegExp }
}

// Next's own parts, as its development server puts them together: a path without parameters first, then these in order.
const next = createRequire(import.meta.url)
const { getSortedRoutes, getRouteRegex } = {
  ...next('next/dist/shared/lib/router/utils/sorted-routes'),
  ...next('next/dist/shared/lib/router/utils/route-regex'),
} as RouterOfNext

const paths = (await loadRoutes()).map(({ path }) => path)
const words = [...new Set(paths.flatMap((path) => path.split('/')).filter((word) => /^\w+$/.test(word)))]

const dynamic = getSortedRoutes(paths.filter((path) => path.includes('[')))
const byNext = (path: string): string | undefined =>
  paths.includes(path) ? path : dynamic.find((route) => getRouteRegex(route).re.test(path))

const router = createRouter(
  paths.map((path) => ({
    path,
    handlers: { GET: routeHandler(async () => answerOf(path), {} as never) },
  })),
)
const byUs = async (path: string): Promise<string> =>
  (await testRouter(router).fetch(new Request(ORIGIN + path))).text()

const filled = (path: string, word: string): string => path.replaceAll(/\[\w+\]/g, word)
const isRoute = (path: string): boolean => !path.includes('[...')

test.each(paths.filter(isRoute))(
  '%s is the same file to both, with an id and with any word in its place',
  async (path) => {
    expect(byNext(filled(path, '7'))).toBe(path)
    expect(await byUs(filled(path, '7'))).toBe(path)
    const last = path.replace(/\[\w+\]$/, '\u0000')
    if (!last.endsWith('\u0000')) return
    for (const word of words) {
      const asked = filled(last.replace('\u0000', word), '7')
      expect([asked, await byUs(asked)]).toEqual([asked, byNext(asked)])
    }
  },
)
