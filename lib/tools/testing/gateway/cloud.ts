import { machines } from '#lib/tools/testing/gateway/lab'

/* The machines of a lab (lab.ts) as a server has them, made by its API: a device, a network, two machines, a gateway's service account. */

/** The address of the API, with /api, and the credentials of the caller. */
export type Administrator = { url: string; authorization: string }

type Document = { id: number; name?: string; nick?: string; ip?: string }

const NAME = 'Gateway lab'
export const NAT_IPS = ['203.0.113.1', '203.0.113.2'] as const

export class LabCloud {
  readonly #as: Administrator

  constructor(as: Administrator) {
    this.#as = as
  }

  /** Throws where the answer is an error. The document, if there is one. */
  async ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const { url, authorization } = this.#as
    const answer = await fetch(url + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

  link(rel: string, path: string) {
    return { rel, href: this.#as.url + path }
  }

  /** The one of this name in the list, or a new one. */
  async #ensure(list: string, name: string, body: object = {}): Promise<number> {
    const { collection } = await this.ask<{ collection: Document[] }>('GET', `${list}?limit=0`)
    const found = collection.find((each) => [each.name, each.nick, each.ip].includes(name))
    const { id } = found ?? (await this.ask<Document>('POST', list, { name, ...body }))
    return id
  }

  /** Resources made earlier are used again, but the token is new each time. */
  async make() {
    const datacenter = await this.#ensure('/admin/datacenters', NAME, { location: 'This machine' })
    const type = await this.#ensure('/config/devicetypes', 'LINUX')
    const device = await this.#ensure(`/cloud/locations/${datacenter}/devices`, NAME, {
      links: [this.link('devicetype', `/config/devicetypes/${type}`)],
    })
    const networks = `/admin/datacenters/${datacenter}/natnetworks`
    const network = await this.#ensure(networks, NAME, {
      cidr: '203.0.113.0/24',
      links: [this.link('device', `/cloud/locations/${datacenter}/devices/${device}`)],
    })
    const natIps = await this.#each(NAT_IPS, (ip) =>
      this.#ensure(`${networks}/${network}/ips`, ip, { ip, name: undefined }),
    )
    const enterprise = await this.#ensure('/admin/enterprises', NAME, {
      links: [this.link('scope', '/admin/scopes/1')],
    })
    const center = await this.#makeMachines(datacenter, enterprise, natIps)
    const token = await this.#makeToken(enterprise)
    return { device, datacenter, token, natIps, ...center }
  }

  async #each<Result>(names: readonly string[], make: (name: string) => Promise<Result>): Promise<Result[]> {
    const all: Result[] = []
    for (const name of names) all.push(await make(name))
    return all
  }

  async #makeMachines(datacenter: number, enterprise: number, natIps: readonly number[]) {
    const id = await this.#ensure('/cloud/virtualdatacenters', NAME, {
      links: [
        this.link('enterprise', `/admin/enterprises/${enterprise}`),
        this.link('location', `/cloud/locations/${datacenter}`),
      ],
    })
    const center = `/cloud/virtualdatacenters/${id}`
    const attached = await this.ask<{ collection: Document[] }>('GET', `${center}/natips?limit=0`)
    for (const natIp of natIps)
      if (!attached.collection.some((each) => each.id === natIp))
        await this.ask('PUT', `${center}/natips/topurchase/${natIp}`)
    const appliance = await this.#ensure(`${center}/virtualappliances`, NAME)
    const list = `${center}/virtualappliances/${appliance}/virtualmachines`
    const made = await this.#each(Object.keys(machines), async (name) => {
      const ip = machines[name as keyof typeof machines]
      const privateIp = await this.#ensure(`${center}/privateips`, ip, { ip, name: undefined })
      const links = [this.link('nic0', `${center}/privateips/${privateIp}`)]
      const machine = await this.#ensure(list, name, { links })
      return { privateIp, rules: `${list}/${machine}/natrules` }
    })
    return { center, machines: made }
  }

  async #makeToken(enterprise: number): Promise<string> {
    const privileges = ['PHYS_DC_RETRIEVE_DETAILS', 'MANAGE_DEVICES']
    const known = await this.ask<{ collection: Document[] }>('GET', '/config/privileges?limit=0')
    const links = known.collection
      .filter(({ name = '' }) => privileges.includes(name))
      .map(({ id }) => this.link(`privilege${id}`, `/config/privileges/${id}`))
    const role = await this.#ensure('/admin/roles', 'GATEWAY', { links })
    const users = `/admin/enterprises/${enterprise}/users`
    const user = await this.#ensure(users, 'gateway', {
      nick: 'gateway',
      name: 'Gateway',
      authType: 'SERVICE',
      links: [this.link('role', `/admin/roles/${role}`)],
    })
    const tokens = `${users}/${user}/tokens`
    const { collection } = await this.ask<{ collection: Document[] }>('GET', `${tokens}?limit=0`)
    for (const { id } of collection) await this.ask('DELETE', `${tokens}/${id}`)
    return (await this.ask<{ token: string }>('POST', tokens, { name: NAME, privileges })).token
  }
}

export type MadeCloud = Awaited<ReturnType<LabCloud['make']>>

/** A DNAT rule from a port of the first NAT IP to a machine's port. Returns its path. */
export async function addDnat(
  cloud: LabCloud,
  { center, natIps, machines: [one] }: MadeCloud,
  ports: { originalPort: number; translatedPort: number },
): Promise<string> {
  const rule = await cloud.ask<Document>('POST', one?.rules ?? '', {
    snat: false,
    protocol: 'TCP',
    ...ports,
    links: [
      cloud.link('original', `${center}/natips/${natIps[0]}`),
      cloud.link('translated', `${center}/privateips/${one?.privateIp}`),
    ],
  })
  return `${one?.rules}/${rule.id}`
}
