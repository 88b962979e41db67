import { expect, test } from 'vitest'
import { database, transaction } from '#lib/db/db.server'
import { exchangeOf } from '#lib/ground/http/exchange.server'
import { beginFlow, newFlowName, takeFlow } from '#lib/people/federation/flows.server'
import { ORIGIN, router } from '#lib/tools/testing/client'

/* Anyone can start sign-ins at a provider, which must not disturb the sign-ins of others (docs/api/authentication.md, "Throttling"). */

await router()

const beginFrom = async (address: string): Promise<string> => {
  const request = exchangeOf(new Request(`${ORIGIN}/api/auth/oidc/login`), address)
  const name = newFlowName()
  await beginFlow(request, { kind: 'oidc', name }, { from: address })
  return name
}

const isKept = async (name: string) => (await takeFlow('oidc', name)) !== undefined

/** Flows older than all others, as if the network had started this many sign-ins. */
const fill = (count: number, site: string, network = site) =>
  transaction(async (trx) => {
    const expires_at = Date.now() + 60_000
    const rows = Array.from({ length: count }, (_, began_at) => ({
      ...{ id: newFlowName(), sealed: '', expires_at, began_at, site, network },
    }))
    for (let index = 0; index < rows.length; index += 100)
      await trx
        .insertInto('sign_in_flows')
        .values(rows.slice(index, index + 100))
        .execute()
  })

const countOf = async (site: string) =>
  (await database().read.selectFrom('sign_in_flows').where('site', '=', site).select('began_at').execute())
    .length

test('a client that starts many sign-ins ends its own oldest, and none of another network', async () => {
  const [elsewhere, own] = [await beginFrom('198.51.100.40'), await beginFrom('198.51.100.41')]
  await fill(998, '198.51.100.41')
  expect(await countOf('198.51.100.41')).toBe(999)
  const latest = [await beginFrom('198.51.100.41'), await beginFrom('198.51.100.41')]
  expect(await countOf('198.51.100.41')).toBe(1000)
  for (const name of [elsewhere, own, ...latest]) expect(await isKept(name)).toBe(true)
})

test('an IPv6 client with a whole /48 is bounded as a whole, and the /64 with the most pays', async () => {
  const [site, attacker] = ['3fff:f17e:1::/48', '3fff:f17e:1:bad::/64']
  const neighbour = await beginFrom('3fff:f17e:1:1::1')
  await fill(999, site, attacker)
  for (const part of ['2', '3', '4']) await beginFrom(`3fff:f17e:1:${part}::1`)
  expect(await countOf(site)).toBe(1000)
  expect(await isKept(neighbour)).toBe(true)
})
