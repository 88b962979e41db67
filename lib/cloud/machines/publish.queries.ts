import { queryOptions } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '#lib/client/api'
import type { Meta } from '#lib/client/as-of'
import type { Once } from '#lib/client/once'
import { invalidateBelow, pathKey, useChange } from '#lib/client/resources.queries'
import { centerPath } from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import { pathOf } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { natChanged } from '#lib/cloud/nat/networks.queries'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { type Collection, linkOf } from '#lib/ground/http/view'

/* A port of a machine at a public address: attaches an address if none has the port, then creates the DNAT rule. */

export const publishedProtocols = ['TCP', 'UDP'] as const
export type PublishedProtocol = (typeof publishedProtocols)[number]

/** The address that a port is published at. */
export type PublicAddress = { ip: NatIpDocument; isHeld: boolean }

type Wanted = { center: number; isIpv6: boolean; protocol: PublishedProtocol; port: number }

/** The lowest address of the virtual datacenter with a free port, else the lowest free one; null if none is free. */
export function publicAddressQuery({ center, isIpv6, protocol, port }: Wanted) {
  const path = `${centerPath(center)}/natips`
  // Every IPv6 address has a colon, every IPv4 address a dot.
  const family = { by: 'ip', limit: 1, has: isIpv6 ? ':' : '.' }
  const read = (at: string, query: object, from: { signal: AbortSignal; meta: Meta }) =>
    api<Collection<NatIpDocument>>(at, { query: { ...family, ...query }, ...from })
  return queryOptions({
    queryKey: [...pathKey(path), 'for', protocol, port, isIpv6] as readonly unknown[],
    queryFn: async ({ signal, meta }): Promise<PublicAddress | null> => {
      const [held] = (await read(path, { freefor: `${protocol}:${port}` }, { signal, meta })).collection
      if (held) return { ip: held, isHeld: true }
      const [free] = (await read(`${path}/topurchase`, {}, { signal, meta })).collection
      return free ? { ip: free, isHeld: false } : null
    },
    staleTime: 0,
  })
}

export type Publication = {
  center: number
  datacenter: number
  /** The `href` of the machine and of its private IP. */
  machine: string
  privateIp: string
  protocol: PublishedProtocol
  publicPort: number
  port: number
  address: PublicAddress
}

export type Published = { rule: NatRuleDocument; ip: NatIpDocument; isAttached: boolean }

const release = (center: number, ip: number) =>
  api(`${centerPath(center)}/natips/purchased/${ip}`, { method: 'PUT' })

const createRule = (sent: Publication, once: Once) =>
  api<NatRuleDocument>(`${pathOf({ href: sent.machine })}/natrules`, {
    method: 'POST',
    body: {
      snat: false,
      protocol: sent.protocol,
      originalPort: sent.publicPort,
      translatedPort: sent.port,
      links: [
        { rel: 'original', href: linkOf(sent.address.ip, 'self')?.href },
        { rel: 'translated', href: sent.privateIp },
      ],
    },
    once,
  })

const changed = (client: Parameters<typeof natChanged>[0], { center, datacenter }: Where) =>
  Promise.all([natChanged(client, datacenter), invalidateBelow(client, [centerPath(center), held])]).then(
    () => undefined,
  )

type Where = Pick<Publication, 'center' | 'datacenter'>

const held = '/api/cloud/natips'

/** Publishes a port. `attached`: the address that was attached although the rule was refused. */
export function usePublish() {
  const attached = useRef<NatIpDocument>(undefined)
  const publishing = useChange(async (sent: Publication, once): Promise<Published> => {
    const { ip, isHeld } = sent.address
    const isAttached = attached.current?.id === ip.id
    if (!isHeld && !isAttached) {
      await api(`${centerPath(sent.center)}/natips/topurchase/${ip.id}`, { method: 'PUT' })
      attached.current = ip
    }
    const rule = await createRule(sent, once)
    const isNew = attached.current?.id === ip.id
    attached.current = undefined
    return { rule, ip, isAttached: isNew }
  }, changed)
  return { ...publishing, attached }
}

type Undone = Where & Partial<Pick<Published, 'rule'>> & { release: NatIpDocument | undefined }

/** Deletes the rule, and releases the address if it was attached for it. */
export const useUnpublish = () =>
  useChange(async ({ center, rule, release: ip }: Undone) => {
    if (rule) await api(pathOf(linkOf(rule, 'self')), { method: 'DELETE' })
    if (ip) await release(center, ip.id)
  }, changed)
