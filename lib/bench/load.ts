import { Agent, request } from 'node:http'

export type Call = {
  path: string
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string>
  body?: string
}

/** `times`: milliseconds until the end of each answer. */
export type Load = { seconds: number; times: number[] }

/** Sends it once and reads the answer whole. Throws where that is no success. */
export function send(
  url: string,
  { path, method = 'GET', headers, body }: Call,
  agent?: Agent,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const sent = request(`${url}${path}`, { method, headers, agent }, (response) => {
    const pieces: Buffer[] = []
    response.on('data', (piece: Buffer) => pieces.push(piece))
    response.on('error', reject)
    response.on('end', () => {
      const text = Buffer.concat(pieces).toString()
      if ((response.statusCode ?? 500) < 300) resolve(text)
      else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`))
    })
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}

/** Reads the answer and forgets it. Gives the milliseconds until its end. */
export async function timeOf(url: string, call: Call, agent?: Agent): Promise<number> {
  const began = performance.now()
  await send(url, call, agent)
  return performance.now() - began
}

/** For how long: whichever ends first. */
export type Extent = { connections: number; seconds: number; requests?: number }

/** So many connections, each of which sends its next request when the last one was answered. */
export async function load(
  url: string,
  call: () => Call,
  { connections, seconds, requests = Infinity }: Extent,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const began = performance.now()
  const until = began + seconds * 1000
  const connection = async () => {
    while (performance.now() < until && times.length < requests) times.push(await timeOf(url, call(), agent))
  }
  await Promise.all(Array.from({ length: connections }, connection))
  const took = (performance.now() - began) / 1000
  agent.destroy()
  return { seconds: took, times }
}
