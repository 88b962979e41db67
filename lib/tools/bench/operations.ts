import { type Call, send } from '#lib/tools/bench/load'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'

export type BenchOperation = {
  /** Its name on the command line and in the table. */
  name: string
  /** Called with the number of each request to a server. Differs from the previous one if a response could be cached. */
  call: (number: number) => Call
  /** The floor answers it, too. */
  hasFloor?: boolean
  /** Writes are measured after all reads. */
  writes?: boolean
  /** Runs before loads of together `most` requests, and after the last one. */
  prepare?: (most: number) => Promise<void>
}

type Link = { rel: string; href: string }
type Document = { id: number; links: Link[] }
type List = { collection: Document[]; totalSize: number }

const basic = `Basic ${Buffer.from(`${adminNick}:${adminPassword}`).toString('base64')}`

/** Signs in like a program and returns the header with its token. */
export async function signIn(url: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/login`, { headers: { authorization: basic } })
  const token = answer.headers.get('x-service-token')
  if (!token) throw new Error(`sign-in: ${answer.status}`)
  return { authorization: `Token ${token}` }
}

/** Makes an access token by which a program calls without a session. Several runs may use one installation. */
async function accessTokenAt(url: string): Promise<Record<string, string>> {
  const headers = { authorization: basic, 'content-type': 'application/json' }
  const { id } = JSON.parse(await send(url, { path: '/api/login', headers })) as Document
  const body = JSON.stringify({ name: `Bench ${Date.now()}` })
  const path = `/api/admin/enterprises/_/users/${id}/tokens`
  const { token } = JSON.parse(await send(url, { path, method: 'POST', headers, body })) as { token: string }
  return { authorization: `Token ${token}` }
}

const FORMS = { JSON: 'application/json', XML: 'application/xml' }

const ALL = '/api/admin/natnetworks/action'

type Headers = Record<string, string>

/** The last datacenter, which is measured: the path of its networks, the path and document of its network, and its virtual datacenter. */
async function placeAt(url: string, headers: Headers) {
  const read = async <T>(path: string) => JSON.parse(await send(url, { path, headers })) as T
  const { collection: centers } = await read<List>('/api/admin/datacenters?limit=0')
  const networks = `/api/admin/datacenters/${centers.at(-1)?.id}/natnetworks`
  const [network] = (await read<List>(networks)).collection
  const { totalSize: total } = await read<List>(`${networks}/action/allips?limit=1`)
  const holders = await read<List>('/api/cloud/virtualdatacenters?by=id&asc=false&limit=1')
  return { networks, network, path: `${networks}/${network?.id}`, total, holder: holders.collection[0]?.id }
}

type Place = Awaited<ReturnType<typeof placeAt>>

/** The operations of the table in the last datacenter. */
export async function operationsOn(url: string): Promise<BenchOperation[]> {
  const signed = { ...(await signIn(url)), accept: FORMS.JSON }
  const sent = { ...signed, 'content-type': FORMS.JSON }
  const place = await placeAt(url, signed)
  const writes = writesOn(url, place, sent)
  // A page of events.
  for (let number = 0; number < 25; number += 1) await send(url, writes.rename(number))
  const reads = [
    ...(await signInsAt(url, signed)),
    ...(['allips', 'allrules'] as const).flatMap((list) => longLists(list, place, signed)),
    ...Object.entries({
      scopes: '/api/admin/scopes',
      scope: '/api/admin/scopes/1',
      natnetworks: place.networks,
      users: '/api/admin/enterprises/_/users',
      enterprises: '/api/admin/enterprises',
      events: '/api/events',
    }).flatMap(([name, path]) => inForms(name, path, signed)),
  ]
  return [...reads, ...writes.operations, mixtureOf(reads, writes.operations)]
}

const MIXED = [
  ...['login by token', 'scope', 'allips another page', 'allrules another page', 'allips has another'],
  ...['scopes', 'natnetworks', 'users', 'events'],
]

/** Nine reads and one write in turn. */
function mixtureOf(reads: readonly BenchOperation[], writes: readonly BenchOperation[]): BenchOperation {
  const parts = MIXED.flatMap((wanted) => reads.find(({ name }) => name === wanted) ?? [])
  const [update, rename, next] = writes
  const turn = [...parts, rename, ...parts, next, ...parts, update].flatMap((operation) => operation ?? [])
  return {
    name: 'nine reads and a write',
    writes: true,
    call: (number) => turn[number % turn.length]?.call(number) ?? { path: '/api/version' },
  }
}

async function signInsAt(url: string, signed: Headers): Promise<BenchOperation[]> {
  const accessToken = { ...(await accessTokenAt(url)), accept: FORMS.JSON }
  const repeated = { authorization: basic, accept: FORMS.JSON }
  const login = (headers: Headers) => () => ({ path: '/api/login', headers })
  return [
    { name: 'version', call: () => ({ path: '/api/version' }) },
    { name: 'login by token', hasFloor: true, call: login(signed) },
    { name: 'login by access token', call: login(accessToken) },
    { name: 'login by repeated Basic', hasFloor: true, call: login(repeated) },
  ]
}

/** The same as JSON and as XML, which the floor does not write. */
const inForms = (name: string, path: string, signed: Headers): BenchOperation[] => [
  { name, hasFloor: true, call: () => ({ path, headers: signed }) },
  { name: `${name}, XML`, call: () => ({ path, headers: { ...signed, accept: FORMS.XML } }) },
]

function longLists(
  list: 'allips' | 'allrules',
  { networks, total }: Place,
  signed: Headers,
): BenchOperation[] {
  const path = `${networks}/action/${list}`
  /** Steps through the whole list without repeating a page. */
  const start = (number: number) => (number * 7919) % total
  /** Matches a few addresses and was not searched before. */
  const fresh = (number: number) => `10.${(number >> 8) & 15}.${number & 255}.${10 + ((number >> 12) % 90)}`
  const order = list === 'allips' ? 'network' : 'protocol'
  const on = (name: string, target: (number: number) => string, hasFloor = false): BenchOperation => ({
    name: `${list} ${name}`,
    hasFloor,
    call: (number) => ({ path: target(number), headers: signed }),
  })
  return [
    ...inForms(`${list} first page`, path, signed),
    on('last page', () => `${path}?startwith=${total - 25}`, true),
    on('another page', (number) => `${path}?startwith=${start(number)}`, true),
    on('has another', (number) => `${path}?has=${fresh(number)}`, true),
    on('has many', (number) => `${path}?has=.${number % 200}`),
    // Other pages of the same sorted ids.
    on(`by ${order}`, (number) => `${path}?by=${order}&startwith=${start(number)}`),
    on('of all datacenters, another page', (number) => `${ALL}/${list}?startwith=${start(number)}`),
  ]
}

function writesOn(url: string, { networks, network, path, holder }: Place, sent: Headers) {
  const put = (body: object): Call => ({ path, method: 'PUT', headers: sent, body: JSON.stringify(body) })
  const began = Date.now()
  const rename = (number: number) => put({ ...network, name: `Renamed ${began + number}` })
  const { prepare, attach } = freeIps(url, { networks, path, holder, sent })
  const operations: BenchOperation[] = [
    { name: 'NAT network update', call: () => put({ ...network }) },
    { name: 'NAT network rename', call: rename },
    {
      name: 'next free IP',
      call: () => ({ path: `${path}/ips`, method: 'POST', headers: sent, body: '{}' }),
    },
    { name: 'attach an IP', call: attach, prepare },
  ]
  return {
    rename,
    operations: operations.map((operation) => ({ ...operation, hasFloor: true, writes: true })),
  }
}

type Free = { networks: string; path: string; holder: number | undefined; sent: Headers }

/** IPs of the network that are free before a load, which attaches them. */
function freeIps(url: string, { networks, path, holder, sent }: Free) {
  const free = `/api/cloud/virtualdatacenters/${holder}/natips/topurchase`
  const ids: number[] = []
  let attached = 0
  const post = (target: string, body: object) =>
    send(url, { path: target, method: 'POST', headers: sent, body: JSON.stringify(body) })
  const find = async (most: number) =>
    JSON.parse(await send(url, { path: `${free}?limit=${most}`, headers: sent })) as List
  async function prepare(most: number): Promise<void> {
    if (attached > 0) await post(`${networks}/action/releaseips`, { ids: ids.slice(0, attached) })
    attached = 0
    if (ids.length >= most) return
    const { totalSize } = await find(1)
    if (totalSize < most) await post(`${path}/ips`, { numips: most - totalSize })
    const { collection } = await find(most)
    ids.splice(0, ids.length, ...collection.map(({ id }) => id))
  }
  const attach = (): Call => ({ path: `${free}/${ids[attached++]}`, method: 'PUT', headers: sent })
  return { prepare, attach }
}

/** The full export of the IPs. */
export async function wholeList(url: string): Promise<Call> {
  const headers = { ...(await signIn(url)), accept: FORMS.JSON }
  const { networks } = await placeAt(url, headers)
  return { path: `${networks}/action/allips?limit=0`, headers }
}
