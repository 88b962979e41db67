import type { z } from 'zod'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'

/** The setup of tests through the API: each call returns the parsed answer, or throws if the status differs. */
export type Api = {
  /** The address of a path. */
  at(path: string): URL
  get<T>(path: string, answer: z.ZodType<T>): Promise<T>
  post<T>(path: string, body: unknown, answer: z.ZodType<T>): Promise<T>
  put<T>(path: string, body: unknown, answer: z.ZodType<T>): Promise<T>
  /** A PUT that answers nothing. */
  change(path: string, body: unknown): Promise<void>
  remove(path: string): Promise<void>
}

export function apiAs(baseURL: string | undefined, nick = adminNick, password = adminPassword): Api {
  const authorization = `Basic ${Buffer.from(`${nick}:${password}`).toString('base64')}`

  async function call(method: string, path: string, wanted: number, body?: unknown): Promise<Response> {
    const response = await fetch(new URL(path, baseURL), {
      method,
      headers: {
        authorization,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (response.status !== wanted) {
      throw new Error(`${method} ${path}: ${response.status}, not ${wanted}: ${await response.text()}`)
    }
    return response
  }

  return {
    at: (path) => new URL(path, baseURL),
    get: async (path, answer) => answer.parse(await (await call('GET', path, 200)).json()),
    post: async (path, body, answer) => answer.parse(await (await call('POST', path, 201, body)).json()),
    put: async (path, body, answer) => answer.parse(await (await call('PUT', path, 200, body)).json()),
    change: async (path, body) => void (await call('PUT', path, 204, body)),
    remove: async (path) => void (await call('DELETE', path, 204)),
  }
}
