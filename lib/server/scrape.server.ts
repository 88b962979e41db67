import { createHash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { assignableIps } from '#lib/cloud/nat/assignable.server'
import { dayIn } from '#lib/cloud/nat/set-asides.schema'
import { database } from '#lib/db/db.server'
import { env } from '#lib/ground/env.server'
import { type Answer, answerOf } from '#lib/ground/http/answer.server'
import { isFromThisMachine } from '#lib/ground/http/client-address.server'
import { ApiError } from '#lib/ground/http/errors'
import type { Exchange } from '#lib/ground/http/exchange.server'
import { isForKnownHost } from '#lib/ground/http/origin.server'
import { log } from '#lib/ground/log.server'
import { registry, setSeal, setSize } from '#lib/ground/metrics/metrics.server'
import { figuresOfAll } from '#lib/ground/metrics/workers.server'
import { lastSeal } from '#lib/record/events/seals.server'

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

const MINUTE = 60_000
let lastCounted = Number.NEGATIVE_INFINITY

/** Reads stored totals and counts the rest, on the scan connection and at most once a minute. */
async function countObjects(): Promise<void> {
  if (performance.now() < lastCounted + MINUTE) return
  const { rows } = await sql<{ kind: string; count: number }>`
    select 'nat-ips' as kind, coalesce(sum(ips), 0) as count from nat_counts
    union all select 'nat-ips-used', coalesce(sum(used_ips), 0) from nat_counts
    union all select 'nat-ips-assignable', coalesce(sum(${assignableIps} * 1.0), 0)
      from nat_counts join nat_networks on nat_networks.id = nat_counts.nat_network_id
    union all select 'nat-rules', coalesce(sum(snat_rules + dnat_rules), 0) from nat_counts
    union all select 'nat-networks', count(*) from nat_counts
    union all select 'nat-findings-set-aside', count(*) from nat_setasides where until_day >= ${dayIn(0)}
    union all select 'scopes', count(*) from scopes
    union all select 'enterprises', count(*) from enterprises
    union all select 'users', count(*) from users
    union all select 'sessions', count(*) from sessions
    union all select 'mails-waiting', count(*) from mails
    union all select 'webhooks-waiting', count(*) from webhook_deliveries where due_at is not null`.execute(
    database().scan,
  )
  lastCounted = performance.now()
  for (const { kind, count } of rows) setSize(kind, Number(count))
}

async function showSeal(): Promise<void> {
  const seal = await lastSeal(database())
  if (seal) setSeal(seal)
}

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
  await Promise.all([countObjects(), showSeal()]).catch((err) =>
    log().warn({ err }, 'the database could not be measured'),
  )
  return answerOf(await figuresOfAll(), {
    headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' },
  })
}
