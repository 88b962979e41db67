import { createHash, timingSafeEqual } from 'node:crypto'
import { env } from '#lib/ground/env.server'
import { type Answer, answerOf } from '#lib/ground/http/answer.server'
import { isFromThisMachine } from '#lib/ground/http/client-address.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { isForKnownHost } from '#lib/ground/http/origin.server'
import { log } from '#lib/ground/log.server'
import { registry } from '#lib/ground/metrics/metrics.server'
import { figuresOfAll } from '#lib/ground/metrics/workers.server'
import { measure } from '#lib/server/measure.server'

/**
 * True if the caller may read the metrics. Throws 403 if no METRICS_TOKEN is set, because no token could match, and for an unknown Host: a
 * page in a browser on this machine could have sent the request. No browser adds the token by itself.
 */
function isScraper(request: Exchange): boolean {
  const isKnown = isForKnownHost(request)
  if (isKnown && isFromThisMachine(request)) return true
  const { METRICS_TOKEN } = env()
  const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (METRICS_TOKEN && isSame(token, METRICS_TOKEN)) return true
  if (!METRICS_TOKEN || !isKnown) throw new ApiError('403-FORBIDDEN')
  return false
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

/** If the database cannot be reached, its figures stay as they were and the others are still reported. */
export async function readMetrics(request: Exchange): Promise<Answer> {
  if (!isScraper(request))
    return answerOf('METRICS_TOKEN is needed\n', {
      status: 401,
      headers: {
        'www-authenticate': `Bearer realm="${env().REALM}"`,
        'content-type': 'text/plain; charset=utf-8',
      },
    })
  await measure().catch((err) => log().warn({ err }, 'the database could not be measured'))
  return answerOf(await figuresOfAll(), {
    headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' },
  })
}
