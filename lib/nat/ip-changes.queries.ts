import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { api, apiWithTag } from '#lib/client/api'
import { ifMatch } from '#lib/client/resources.queries'
import { idOfLink, linkOf } from '#lib/http/view'
import { natIpPath } from '#lib/nat/ips.queries'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import { natChanged, natNetworkPath, natNetworksPath } from '#lib/nat/networks.queries'

/** Where the IPs of one network are listed, or those of all networks of the datacenter. */
export const natIpsPath = (datacenter: number, network: number | undefined): string =>
  network === undefined
    ? `${natNetworksPath(datacenter)}/action/allips`
    : `${natNetworkPath(datacenter, network)}/ips`

export type NatIpChange = { available?: boolean; quarantine?: boolean }

const pathOf = (datacenter: number, ip: NatIpDocument): string =>
  natIpPath(datacenter, idOfLink(linkOf(ip, 'natnetwork')) ?? 0, ip.id)

/** Changes one thing about an IP, whatever else was changed since it was listed. */
export async function changeNatIp(datacenter: number, ip: NatIpDocument, change: NatIpChange): Promise<void> {
  const path = pathOf(datacenter, ip)
  const { document, etag } = await apiWithTag<NatIpDocument>(path)
  await api(path, { method: 'PUT', body: { ...document, ...change }, headers: ifMatch(etag) })
}

export const deleteNatIp = (datacenter: number, ip: NatIpDocument): Promise<void> =>
  api(pathOf(datacenter, ip), { method: 'DELETE' })

const pause = 400

/** What is shown asks again after a change: once for many that follow each other. */
export function useNatChanged(datacenter: number): () => void {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = useEffectEvent(() => {
    if (timer.current === undefined) return
    clearTimeout(timer.current)
    timer.current = undefined
    void natChanged(client, datacenter)
  })
  // A screen that is left in the meantime leaves no list behind that is out of date.
  useEffect(() => () => tell(), [])
  return () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(tell, pause)
  }
}
