import { z } from 'zod'
import type { Api } from './api'

const linked = z.object({
  id: z.int(),
  links: z.array(z.object({ rel: z.string(), href: z.string() })),
})
const listed = z.object({ collection: z.array(linked) })

/** Where tests make networks: in Singapore, each with a range that no other test uses. */
export const singapore = 3

const natNetworks = `/api/admin/datacenters/${singapore}/natnetworks`

/** A NAT network with this many IPs from its beginning. */
export async function newNetwork(api: Api, network: { name: string; cidr: string; ips: number }) {
  const { collection } = await api.get(`/api/cloud/locations/${singapore}/devices?has=edge`, listed)
  const href = collection[0]?.links.find(({ rel }) => rel === 'edit')?.href
  const { name, cidr, ips } = network
  const { id } = await api.post(natNetworks, { name, cidr, links: [{ rel: 'device', href }] }, linked)
  if (ips > 0) await api.post(`${natNetworks}/${id}/ips`, { numips: ips }, listed)
  return { id, path: `/datacenters/${singapore}/natnetworks/${id}` }
}

type Attached = { network: number; ip: number | undefined; center: number | undefined }

/** Attaches an IP to a virtual datacenter of this test. Returns the argument of `drop`. */
export async function attach(api: Api, network: number, ip: string): Promise<Attached> {
  const ips = await api.get(`${natNetworks}/${network}/ips?has=${ip}`, listed)
  const centers = await api.get(`/api/cloud/virtualdatacenters?datacenter=${singapore}`, listed)
  const [free, center] = [ips.collection[0], centers.collection[0]]
  await api.put(`/api/cloud/virtualdatacenters/${center?.id}/natips/topurchase/${free?.id}`, {}, linked)
  return { network, ip: free?.id, center: center?.id }
}

/** Releases an IP and deletes it. */
export async function drop(api: Api, { network, ip, center }: Attached): Promise<void> {
  await api.put(`/api/cloud/virtualdatacenters/${center}/natips/purchased/${ip}`, {}, linked)
  await api.remove(`${natNetworks}/${network}/ips/${ip}`)
}
