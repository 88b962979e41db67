import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { z } from 'zod'
import type { Noted } from '#lib/caller/kinds/notes.schema'
import { api, apiWithTag } from '#lib/client/api'
import {
  collectionQuery,
  ifMatch,
  invalidateBelow,
  pathKey,
  pickerQuery,
  type Query,
  resourceQuery,
  type Tagged,
  useChange,
} from '#lib/client/resources.queries'
import { centerPath } from '#lib/cloud/infrastructure/virtual-datacenters.queries'
import { type Collection, type LinkDocument, linkOf } from '#lib/ground/http/view'
import { bulkCall } from '#lib/record/jobs/bulk.queries'
import type { NatIpHolding } from './holdings.schema'
import type { ipsBulkInput, NatIpDocument, NatIpPosition, NatIpStates, natIpInput } from './ips.schema'
import { natChanged, natNetworkPath, natNetworksPath } from './networks.queries'
import type { NatRuleDocument } from './rules.schema'

/** The list of the IPs of one network, of all networks of the datacenter, or of all visible datacenters. */
export const natIpsPath = (datacenter: number | undefined, network: number | undefined): string =>
  network === undefined
    ? `${natNetworksPath(datacenter)}/action/allips`
    : `${natNetworkPath(datacenter, network)}/ips`

/** `query` may have the fields of `datacenterIpQuery`; without a datacenter, those of `allIpQuery`. */
export const natIpsQuery = (datacenter: number | undefined, network: number | undefined, query: Query) =>
  collectionQuery<NatIpDocument>(natIpsPath(datacenter, network), query)

export const natIpPath = (datacenter: number, network: number, ip: number): string =>
  `${natNetworkPath(datacenter, network)}/ips/${ip}`

export const natIpQuery = (datacenter: number, network: number, ip: number) =>
  resourceQuery<NatIpDocument>(natIpPath(datacenter, network, ip))

/** The NAT IPs that are attached to a virtual datacenter. */
export const attachedNatIpPickerQuery = (center: number, has: string) =>
  pickerQuery<NatIpDocument>(`${centerPath(center)}/natips`, has, { by: 'ip' })

/** The NAT IPs that a virtual datacenter holds. */
export const heldIpsQuery = (center: number, query?: Query) =>
  collectionQuery<NatIpDocument>(`${centerPath(center)}/natips`, query)

/** The NAT IPs that the virtual datacenters hold which the user sees. */
export const allHeldIpsQuery = (query: Query) => collectionQuery<NatIpDocument>('/api/cloud/natips', query)

/** The rules of a NAT IP that a virtual datacenter holds. */
export const heldIpRulesQuery = (center: number, ip: number, query?: Query) =>
  collectionQuery<NatRuleDocument>(`${centerPath(center)}/natips/${ip}/rules`, query)

export const defaultSnatQuery = (center: number) => heldIpsQuery(center, { snatdefault: true, limit: 1 })

const freeIpsPath = (center: number): string => `${centerPath(center)}/natips/topurchase`

/** The NAT IPs that a virtual datacenter may attach, the lowest first. */
export const freeNatIpPickerQuery = (center: number, has: string) =>
  pickerQuery<NatIpDocument>(freeIpsPath(center), has, { by: 'ip' })

export const lowestFreeNatIpQuery = (center: number) =>
  collectionQuery<NatIpDocument>(freeIpsPath(center), { by: 'ip', limit: 1 })

type Attachment = { datacenter: number; center: number }

export const useAttachNatIp = ({ datacenter, center }: Attachment) =>
  useChange(
    (ip: number) => api<NatIpDocument>(`${freeIpsPath(center)}/${ip}`, { method: 'PUT' }),
    async (client) => {
      await natChanged(client, datacenter)
      await invalidateBelow(client, [`${centerPath(center)}/natips`])
    },
  )

/**
 * How many IPs of the list with these filters are in each state. `network`: the list is of one network. Earlier counts stay until the new ones
 * come.
 */
export function natIpStatesQuery(
  datacenter: number | undefined,
  network: number | undefined,
  filters: Query,
) {
  const path = `${natNetworksPath(datacenter)}/action/ipstates`
  // Below the network, so that it goes with a network that is deleted.
  const place = network === undefined ? path : `${natNetworkPath(datacenter, network)}/action/ipstates`
  return queryOptions({
    queryKey: [...pathKey(place), filters],
    queryFn: ({ signal, meta }) => api<NatIpStates>(path, { query: filters, signal, meta }),
    placeholderData: keepPreviousData,
  })
}

/** The position of an address in the list with these filters, ordered by IP. `query.network` limits it to one network. */
export function ipPositionQuery(datacenter: number | undefined, query: Query & { ip: string }) {
  const path = `${natNetworksPath(datacenter)}/action/ipposition`
  return queryOptions({
    queryKey: [...pathKey(path), query],
    queryFn: ({ signal, meta }) => api<NatIpPosition>(path, { query, signal, meta }),
  })
}

/** The present and former holders of an address of the datacenter. `query` may have the fields of `addressHistoryQuery` of the API. */
export const addressHistoryQuery = (datacenter: number, query: Query & { ip: string }) =>
  collectionQuery<NatIpHolding>(`${natNetworksPath(datacenter)}/action/addresshistory`, query)

/** The holders of an address in all visible datacenters. */
export const allAddressHistoryQuery = (query: Query & { ip: string }) =>
  collectionQuery<NatIpHolding>(`${natNetworksPath(undefined)}/action/addresshistory`, query)

type NewNatIps = {
  datacenter: number
  network: number
  body: z.input<typeof natIpInput> | z.input<typeof ipsBulkInput>
}

/**
 * With `numips` the API creates the lowest free range of so many addresses from `ip` on, and returns its first page. Without it, the
 * API creates one IP: the requested address, or the lowest free one.
 */
export const useCreateNatIps = () =>
  useChange(
    ({ datacenter, network, body }: NewNatIps, once) =>
      api<NatIpDocument | Collection<NatIpDocument>>(natIpsPath(datacenter, network), {
        method: 'POST',
        body,
        once,
      }),
    (client, { datacenter }) => natChanged(client, datacenter),
  )

export type NatIpChange = { available?: boolean; quarantine?: boolean }

/** The path in a link. */
export const pathOf = (link: Pick<LinkDocument, 'href'> | undefined): string =>
  new URL(link?.href ?? '', window.location.origin).pathname

/** Reads the IP first, so that changes of other fields since the list was loaded are kept. */
export async function changeNatIp(ip: NatIpDocument, change: NatIpChange): Promise<void> {
  const path = pathOf(linkOf(ip, 'self'))
  const { document, etag } = await apiWithTag<NatIpDocument>(path, { meta: undefined })
  await api(path, { method: 'PUT', body: { ...document, ...change }, headers: ifMatch(etag) })
}

/** Sets or clears the end of an attached IP, which is read first: other fields keep their values. */
export async function setNatIpEnd(ip: NatIpDocument, ends: string): Promise<void> {
  const path = `${pathOf(linkOf(ip, 'virtualdatacenter'))}/natips/${ip.id}`
  const { document, etag } = await apiWithTag<NatIpDocument>(path, { meta: undefined })
  await api(path, { method: 'PUT', body: { ...document, ends }, headers: ifMatch(etag) })
}

export const useSaveIpNotes = (datacenter: number) =>
  useChange(
    ({ draft, current: { document, etag } }: { draft: Noted; current: Tagged<NatIpDocument> }) =>
      api<NatIpDocument>(pathOf(linkOf(document, 'self')), {
        method: 'PUT',
        body: { ...document, ...draft },
        headers: ifMatch(etag),
      }),
    (client) => natChanged(client, datacenter),
  )

/** A NAT IP that a virtual datacenter holds. */
export const heldIpQuery = (center: number, ip: number) =>
  resourceQuery<NatIpDocument>(`${centerPath(center)}/natips/${ip}`)

export const useSaveHeldIpNotes = (center: number) =>
  useChange(
    ({ draft, current: { document, etag } }: { draft: Noted; current: Tagged<NatIpDocument> }) =>
      api<NatIpDocument>(`${centerPath(center)}/natips/${document.id}`, {
        method: 'PUT',
        body: { ...document, ...draft },
        headers: ifMatch(etag),
      }),
    async (client) => {
      await natChanged(client, undefined)
      await invalidateBelow(client, [centerPath(center)])
    },
  )

export const deleteNatIp = (ip: NatIpDocument): Promise<void> =>
  api(pathOf(linkOf(ip, 'self')), { method: 'DELETE' })

export type NatIpsAction = 'changeips' | 'deleteips' | 'attachips' | 'releaseips'

/** Changes many IPs of the datacenter, or of the datacenters in the selections. */
export const natIpsCall = (datacenter: number | undefined, action: NatIpsAction, change: object = {}) =>
  bulkCall((at = datacenter) => `${natNetworksPath(at)}/action/${action}`, change)

const pause = 400

/** Calls `natChanged` once for many changes that follow each other. */
export function useNatChanged(datacenter: number | undefined): () => void {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const flush = useEffectEvent(() => {
    if (timer.current === undefined) return
    clearTimeout(timer.current)
    timer.current = undefined
    void natChanged(client, datacenter)
  })
  // Leaving the screen during the pause must not leave stale lists behind.
  useEffect(() => () => flush(), [])
  return () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(flush, pause)
  }
}
