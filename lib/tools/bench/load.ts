import { Agent, request } from 'node:http'

export type Call = {
  path: string
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string>
  body?: string
}

/** `times`: milliseconds until the end of each response. */
export type Load = { seconds: number; times: number[] }

/** Sends one request and passes on the chunks of its response. Throws unless it succeeds. */
function receive(
  url: string,
  { path, method = 'GET', headers, body }: Call,
  { agent, take }: { agent?: Agent | undefined; take: (piece: Buffer) => void },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const sent = request(`${url}${path}`, { method, headers, agent }, (response) => {
    response.on('data', take)
    response.on('error', reject)
    response.on('end', () => {
      if ((response.statusCode ?? 500) < 300) resolve()
      else reject(new Error(`${method} ${path}: ${response.statusCode}`))
    })
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}

export async function send(url: string, call: Call): Promise<string> {
  const pieces: Buffer[] = []
  await receive(url, call, { take: (piece) => pieces.push(piece) })
  return Buffer.concat(pieces).toString()
}

/** Milliseconds until the end of the response. The body is dropped: a full export is longer than the longest string. */
export async function timeOf(url: string, call: Call, agent?: Agent): Promise<number> {
  const began = performance.now()
  await receive(url, call, { agent, take: () => {} })
  return performance.now() - began
}

export type Extent = { connections: number; requests: number }

/** No load begins another request after this time (ms): a search among a million rows takes half a second. */
const LONGEST = 5000

/** Each connection sends its next request when the previous response has ended. */
export async function load(url: string, call: () => Call, { connections, requests }: Extent): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  let sent = 0
  const began = performance.now()
  const connection = async () => {
    while (sent < requests && performance.now() - began < LONGEST) {
      sent += 1
      times.push(await timeOf(url, call(), agent))
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  return { seconds, times }
}
