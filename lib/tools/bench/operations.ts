import { type Call, send } from '#lib/tools/bench/load'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'

export type BenchOperation = {
  /** Its name on the command line and in the table. */
  name: string
  /** Called for each request. Differs from the previous one if a response could be cached. */
  call: () => Call
  /** Writes are measured after all reads. */
  writes?: boolean
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

/** Words that match no, few and many addresses and rules. Each request has another word. */
const words = {
  none: (number: number) => `nowhere${number}`,
  few: (number: number) => `10.${(number >> 8) & 15}.${number & 255}.77`,
  many: (number: number) => `.${number % 200}`,
}

const ALL = '/api/admin/natnetworks/action'

/** The operations of the table in the last datacenter, each as JSON and as XML. */
export async function operationsOn(url: string): Promise<BenchOperation[]> {
  const signed = { ...(await signIn(url)), accept: FORMS.JSON }
  const accessToken = { ...(await accessTokenAt(url)), accept: FORMS.JSON }
  const read = async <T>(path: string) => JSON.parse(await send(url, { path, headers: signed })) as T
  const centers = await read<List>('/api/admin/datacenters?limit=0')
  const networks = `/api/admin/datacenters/${centers.collection.at(-1)?.id}/natnetworks`
  const network = (await read<List>(networks)).collection[0]
  const { totalSize: total } = await read<List>(`${networks}/action/allips?limit=1`)
  let number = 0
  /** Steps through the whole list without repeating a page. */
  const start = () => (number++ * 7919) % total
  const lists = (['allips', 'allrules'] as const).flatMap((name) => {
    const pages: [string, () => string][] = [
      ['startwith 0', () => ''],
      ['startwith half', () => `startwith=${Math.floor(total / 2)}`],
      ['last page', () => `startwith=${total - 25}`],
      ...Object.entries(words).map(([which, word]): [string, () => string] => [
        `has ${which}`,
        () => `has=${word(number++)}`,
      ]),
      ['snat', () => (name === 'allips' ? 'snatdefault=true' : 'snat=false')],
      // Other pages of the same sorted ids.
      name === 'allips'
        ? ['by network', () => `by=network&startwith=${start()}`]
        : ['by protocol', () => `by=protocol&startwith=${start()}`],
    ]
    return pages.map(
      ([what, query]) => [`${name} ${what}`, () => `${networks}/action/${name}?${query()}`] as const,
    )
  })
  const paths = [
    ...lists,
    ['scopes', () => '/api/admin/scopes'],
    ['scope', () => '/api/admin/scopes/1'],
    ['natnetworks', () => networks],
  ] as const
  const networkPath = `${networks}/${network?.id}`
  const sent = { ...signed, 'content-type': 'application/json' }
  /** Matches a few addresses and was not searched before. */
  const fresh = () => `10.${(number >> 8) & 15}.${number++ & 255}.${10 + ((number >> 12) % 90)}`
  return [
    { name: 'version', call: () => ({ path: '/api/version' }) },
    { name: 'login by token', call: () => ({ path: '/api/login', headers: signed }) },
    { name: 'login by access token', call: () => ({ path: '/api/login', headers: accessToken }) },
    {
      name: 'login by repeated Basic',
      call: () => ({ path: '/api/login', headers: { authorization: basic, accept: FORMS.JSON } }),
    },
    ...paths.flatMap(([name, path]): BenchOperation[] =>
      Object.entries(FORMS).map(([form, accept]) => ({
        name: form === 'JSON' ? name : `${name}, XML`,
        call: () => ({ path: path(), headers: { ...signed, accept } }),
      })),
    ),
    ...(['allips', 'allrules'] as const).flatMap((name): BenchOperation[] => {
      const path = `${networks}/action/${name}`
      return [
        {
          name: `${name} another page`,
          call: () => ({ path: `${path}?startwith=${start()}`, headers: signed }),
        },
        { name: `${name} has another`, call: () => ({ path: `${path}?has=${fresh()}`, headers: signed }) },
        {
          name: `${name} of all datacenters, another page`,
          call: () => ({ path: `${ALL}/${name}?startwith=${start()}`, headers: signed }),
        },
      ]
    }),
    {
      name: 'NAT network update',
      writes: true,
      call: () => ({ path: networkPath, method: 'PUT', headers: sent, body: JSON.stringify(network) }),
    },
    {
      name: 'next free IP',
      writes: true,
      call: () => ({ path: `${networkPath}/ips`, method: 'POST', headers: sent, body: '{}' }),
    },
  ]
}

/** The full export of the IPs. */
export async function wholeList(url: string): Promise<Call> {
  const headers = { ...(await signIn(url)), accept: FORMS.JSON }
  const centers = JSON.parse(await send(url, { path: '/api/admin/datacenters?limit=0', headers })) as List
  const path = `/api/admin/datacenters/${centers.collection.at(-1)?.id}/natnetworks/action/allips?limit=0`
  return { path, headers }
}
