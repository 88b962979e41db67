import { describe, expect, test } from 'vitest'
import { parseAddress } from '#lib/ground/net/addresses'
import { call, expectStatus, type User } from '#lib/tools/testing/client'
import { networksPath } from '#lib/tools/testing/nat'
import { natSample } from '#lib/tools/testing/nat-sample'

const { datacenter, limited } = await natSample()

type Ip = {
  id: number
  ip: string
  available: boolean
  quarantine: boolean
  networkName: string
  links: { rel: string; title?: string }[]
}

const list = (query: string, as?: User): Promise<{ collection: Ip[] }> =>
  expectStatus(
    200,
    call('GET', `${networksPath(datacenter.id)}/action/allips?${query}`, { ...(as && { as }) }),
  )

const titleOf = ({ links }: Ip, rel: string): string => links.find((link) => link.rel === rel)?.title ?? ''

type Sort = (ip: Ip) => string | number

/** The value that each order sorts by before the address. */
const orders: Record<string, Sort> = {
  ip: () => 0,
  network: ({ networkName }) => networkName.toLowerCase(),
  available: ({ available }) => Number(available),
  quarantine: ({ quarantine }) => Number(quarantine),
  virtualdatacenter: (ip) => titleOf(ip, 'virtualdatacenter').toLowerCase(),
  enterprise: (ip) => titleOf(ip, 'enterprise').toLowerCase(),
}

const numberOf = ({ ip }: Ip): bigint => {
  const { version, value } = parseAddress(ip) ?? { version: 4, value: -1n }
  return BigInt(version) * 2n ** 128n + value
}

const compare = <T>(one: T, other: T): number => Number(one > other) - Number(one < other)

const sorted = (ips: Ip[], by: Sort): Ip[] =>
  ips.toSorted(
    (one, other) =>
      compare(by(one), by(other)) || compare(numberOf(one), numberOf(other)) || compare(one.id, other.id),
  )

describe.each(Object.entries(orders))('by %s', (by, sort) => {
  test('the IPs are sorted, then by address, then by id; descending is the exact reverse', async () => {
    for (const as of [undefined, limited]) {
      const { collection } = await list(`all=true&limit=0&by=${by.toUpperCase()}`, as)
      expect(collection.map(({ id }) => id)).toEqual(sorted(collection, sort).map(({ id }) => id))
      const down = await list(`all=true&limit=0&by=${by}&asc=false`, as)
      expect(down.collection).toEqual(collection.toReversed())
    }
  })

  test('every page is a slice of the full export, in both directions', async () => {
    for (const asc of [true, false]) {
      const query = `all=true&by=${by}&asc=${asc}`
      const whole = (await list(`${query}&limit=0`)).collection
      for (const startwith of [0, 1, 7, 10, 11, 14, 18, 20]) {
        const page = await list(`${query}&limit=7&startwith=${startwith}`)
        expect(page.collection).toEqual(whole.slice(startwith, startwith + 7))
      }
      expect((await list(`${query}&limit=7&startwith=999975`)).collection).toEqual(whole.slice(-7))
    }
  })
})
