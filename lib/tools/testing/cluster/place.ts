import { type ApiProcess, ask } from '#lib/tools/testing/api-process'
import { HOOK_PORT } from '#lib/tools/testing/cluster/consoles'
import { CLIENT } from '#lib/tools/testing/cluster/network'
import { adminNick, adminPassword } from '#lib/tools/testing/settings'

/* The requirements of clients: a token, networks, registers and a webhook. */

export type ClientFixture = {
  token: string
  datacenter: number
  /** The paths of NAT networks, by their names. */
  networks: Record<string, string>
  /** The paths of datacenters whose location counts up. */
  registers: Record<string, string>
}

const REGISTERS = ['Register 1', 'Register 2', 'Register 3']

export async function makePlace(server: Pick<ApiProcess, 'url'>, clients: number): Promise<ClientFixture> {
  const as = { nick: adminNick, password: adminPassword }
  const answered = async <Document>(path: string, body?: object): Promise<Document> => {
    const answer = await ask(server, path, { as, ...(body && { body }) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Document
  }
  const make = async (path: string, body: object) =>
    `${path}/${(await answered<{ id: number }>(path, body)).id}`
  const link = (rel: string, path: string) => ({ links: [{ rel, href: server.url + path }] })

  const self = await answered<{ links: { rel: string; href: string }[] }>('/api/login')
  const user = new URL(self.links.find(({ rel }) => rel === 'edit' || rel === 'self')?.href ?? '').pathname
  const { token } = await answered<{ token: string }>(`${user}/tokens`, { name: 'Clients' })
  const types = await answered<{ collection: { id: number; name: string }[] }>('/api/config/devicetypes')
  const type = types.collection.find(({ name }) => name === 'LOGICAL')?.id
  const path = await make('/api/admin/datacenters', { name: 'Of the networks', location: '' })
  const datacenter = Number(path.split('/').at(-1))
  const devices = `/api/cloud/locations/${datacenter}/devices`
  const names = ['shared', 'claims', ...Array.from({ length: clients }, (_, number) => `own ${number}`)]
  const networks: Record<string, string> = {}
  for (const [number, name] of names.entries()) {
    const device = await make(devices, { name, ...link('devicetype', `/api/config/devicetypes/${type}`) })
    const body = { name, cidr: `100.${65 + number}.0.0/16`, ...link('device', device) }
    networks[name] = await make(`/api/admin/datacenters/${datacenter}/natnetworks`, body)
  }
  const registers: Record<string, string> = {}
  for (const name of REGISTERS)
    registers[name] = await make('/api/admin/datacenters', { name, location: '0' })
  const hook = { name: 'Clients', url: `http://${CLIENT}:${HOOK_PORT}/hook`, events: ['*'] }
  await make('/api/admin/webhooks', hook)
  return { token, datacenter, networks, registers }
}
