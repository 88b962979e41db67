import { createHmac } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isAllowed, publicLookup, requireDestination } from '#lib/people/webhooks/destination.server'
import { problems } from '#lib/people/webhooks/problems'

/* One request to a receiver, signed by Standard Webhooks 1.0. */

const PATIENCE = 10_000
/** The part of the answer that is kept, in bytes. */
const ANSWER = 4096

export type Message = { id: string; body: string; secret: string }
export type Answer = { status: number; text: string }

/** `v1,` and the signature over id, timestamp and body. The key is the secret's base64 behind `whsec_`. */
function signatureOf({ id, body, secret }: Message, timestamp: number): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

function headersOf(message: Message): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(message.body)),
    'user-agent': 'cloud-console-webhook',
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(message, timestamp),
  }
}

/** Follows no redirect. Throws if no answer comes in time, and WEBHOOK-2 for an address that is not public. */
export async function post(
  address: string,
  message: Message,
  lookup: LookupFunction = publicLookup(),
): Promise<Answer> {
  requireDestination(address)
  const url = new URL(address)
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      headers: headersOf(message),
      // A new connection for each request, so that each one is resolved and checked.
      agent: false,
      signal: AbortSignal.timeout(PATIENCE),
      ...(!isAllowed(url) && { lookup }),
    })
    request.on('response', resolve).on('error', reject).end(message.body)
  })
  return { status: response.statusCode ?? 0, text: await beginningOf(response) }
}

/** The beginning of the body as text that every database can store. An incomplete body is stored up to its end. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= ANSWER) break
    }
  } catch {
    // The status has come, which alone counts.
  }
  response.destroy()
  return Buffer.concat(chunks).subarray(0, ANSWER).toString('utf8').replaceAll('\0', '')
}

const reasons: Record<string, string> = {
  ABORT_ERR: problems.timeout,
  ECONNREFUSED: problems.refused,
  ECONNRESET: problems.reset,
  ENOTFOUND: problems.unresolved,
}

/** Why a request got no answer, in one line. */
export function problemOf(error: unknown): string {
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  return reasons[code ?? ''] ?? message ?? String(error)
}
