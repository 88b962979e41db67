import { natIpOrders } from '#lib/cloud/nat/ips.schema'
import { natRuleOrders } from '#lib/cloud/nat/rules.schema'
import { type Call, send } from '#lib/tools/bench/load'
import { beside } from '#lib/tools/bench/plans'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'

/* Every order of the long lists: the first page after a write, and one in the middle, both ways. */

const lists = (datacenter: number): Record<string, { path: string; orders: readonly string[] }> => {
  const place = `/admin/datacenters/${datacenter}/natnetworks/action`
  return {
    'NAT IPs': { path: `${place}/allips?all=true`, orders: natIpOrders },
    'NAT rules': { path: `${place}/allrules?`, orders: natRuleOrders },
    events: { path: '/events?', orders: ['timestamp', 'id'] },
    'virtual machines': { path: '/cloud/virtualmachines?', orders: ['name'] },
  }
}

type Page = { totalSize: number; collection: { id: number }[] }

/** Measures the orders of the last datacenter, and how long a light request waits meanwhile. Returns a line for each. */
export async function measureOrders(
  database: string,
  server: { url: string },
  tell: (line: string) => void,
): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${adminNick}:${adminPassword}`).toString('base64')}`
  const signedIn = await fetch(`${server.url}/api/login`, { headers: { authorization } })
  const headers = {
    authorization: `Token ${signedIn.headers.get('x-service-token')}`,
    'content-type': 'application/json',
  }
  const call = (path: string): Call => ({ path: `/api${path}`, headers })
  const read = async (path: string): Promise<Page> => JSON.parse(await send(server.url, call(path)))
  let written = 0
  /** Clears the values that are cached until the next write. */
  const write = async () => {
    written += 1
    const body = JSON.stringify({ name: `Written ${written}`, location: '' })
    await send(server.url, { ...call('/admin/datacenters'), method: 'POST', body })
  }
  const { collection } = await read('/admin/datacenters?by=id&limit=500')
  const datacenter = collection.at(-1)?.id ?? 0
  for (const [name, { path, orders }] of Object.entries(lists(datacenter)))
    for (const by of orders)
      for (const asc of [true, false]) {
        await write()
        const query = `${path}&by=${by}&asc=${asc}&limit=25`
        const first = await beside(server, call('/login'), () => read(query))
        const middle = Math.floor(first.result.totalSize / 2) - 100
        const deep = await beside(server, call('/login'), () =>
          read(`${query}&startwith=${Math.max(middle, 0)}`),
        )
        tell(
          `${database}  ${name} (${first.result.totalSize}) by ${by}, ${asc ? 'ascending' : 'descending'}: first ${first.seconds.toFixed(2)} s, ` +
            `middle ${deep.seconds.toFixed(2)} s; light request at most ${Math.max(first.longestWait, deep.longestWait).toFixed(0)} ms`,
        )
      }
}
