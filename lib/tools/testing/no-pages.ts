import type { ServePage } from '#lib/server/front.server'

/** In place of the console, which has to be built before it can be served. */
export const openPages = async (): Promise<ServePage> => (_request, response) => {
  response.end('a page of the console')
}
