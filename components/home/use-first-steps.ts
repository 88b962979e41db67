import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { access } from '#components/base/screens/access'
import { useMay, useSession } from '#components/base/session/session'
import { firstDatacenters } from '#components/cloud/nat/nat-use'
import type { Privilege } from '#lib/caller/auth/privileges'
import { preferencesQuery, usePreference } from '#lib/caller/preferences/preferences.queries'
import { scopesQuery } from '#lib/caller/scopes/scopes.queries'
import { devicesQuery } from '#lib/cloud/infrastructure/devices.queries'
import { natUseQuery } from '#lib/cloud/nat/networks.queries'
import { usersQuery } from '#lib/people/identity/users.queries'

/** The privilege of each step, in the order of the steps. */
export const stepNeeds = {
  datacenter: ['PHYS_DC_MANAGE'],
  device: ['MANAGE_DEVICES'],
  network: access.changeNatNetworks,
  ips: access.changeNatNetworks,
  scope: access.manageScopes,
  colleague: access.manageUsers,
  twoFactor: [],
} as const satisfies Record<string, readonly Privilege[]>

export type FirstStep = keyof typeof stepNeeds

const steps = Object.keys(stepNeeds) as FirstStep[]

type Kept = 'begun' | 'open' | 'closed'

/**
 * Whether the card is shown. `begun`: until all steps are done. `open`: until the user closes it. Without a choice, the first visit of
 * home decides.
 */
export function useFirstStepsChoice(): [kept: Kept | undefined, keep: (kept: Kept) => void] {
  const [kept, keep] = usePreference('first-steps')
  return [(['begun', 'open', 'closed'] as const).find((known) => known === kept), keep]
}

/** Only for users who can set up the cloud: other users could take none of the steps. */
export const useMayBegin = (): boolean => {
  const mayCreate = useMay(...stepNeeds.datacenter)
  return useMay(...access.natNetworks) && mayCreate
}

const one = { limit: 1 }

/**
 * Which steps are done, and the datacenter of the next ones. Each kind is asked for its total only. A first visit to a cloud that has NAT
 * IPs asks no further: another administrator has set it up.
 */
function useDone(isFirstVisit: boolean) {
  const session = useSession()
  const mayScopes = useMay(...access.manageScopes)
  const mayUsers = useMay(...access.manageUsers)
  const uses = useQuery(natUseQuery(firstDatacenters))
  const datacenters = uses.data?.collection ?? []
  const hasNetworks = datacenters.some(({ networks }) => networks > 0)
  const hasIps = datacenters.some(({ ips }) => ips > 0)
  const isSetUp = isFirstVisit && hasIps
  // A network has a device that supports NAT, so such devices are counted only before the first network.
  const devices = useQueries({
    queries: hasNetworks ? [] : datacenters.map(({ id }) => devicesQuery(id, { ...one, nat: true })),
  })
  const asksScopes = mayScopes && uses.isSuccess && !isSetUp
  const asksUsers = mayUsers && uses.isSuccess && !isSetUp
  const scopes = useQuery({ ...scopesQuery(one), enabled: asksScopes })
  const users = useQuery({ ...usersQuery(undefined, one), enabled: asksUsers })
  const asked = [uses, ...devices, ...(asksScopes ? [scopes] : []), ...(asksUsers ? [users] : [])]
  if (asked.some(({ data }) => data === undefined)) return undefined

  const withDevices = datacenters.find((_, index) => (devices[index]?.data?.totalSize ?? 0) > 0)
  const done: Record<FirstStep, boolean> = {
    datacenter: datacenters.length > 0,
    device: hasNetworks || withDevices !== undefined,
    network: hasNetworks,
    ips: hasIps,
    // An installation begins with one scope and one user.
    scope: isSetUp || (scopes.data?.totalSize ?? 0) > 1,
    colleague: isSetUp || (users.data?.totalSize ?? 0) > 1,
    twoFactor: session.twoFactorProvider !== undefined && !session.isEnrolling,
  }
  const place = datacenters.find(({ networks }) => networks > 0) ?? withDevices ?? datacenters[0]
  return { done, datacenter: place?.id }
}

/** The steps that the user can take; undefined while they are unknown, or not to be shown. */
export function useFirstSteps() {
  const [kept, keep] = useFirstStepsChoice()
  const { isPending } = useQuery(preferencesQuery)
  const { privileges } = useSession()
  const known = useDone(kept === undefined && !isPending)
  const isMine = (step: FirstStep) =>
    stepNeeds[step].length === 0 || stepNeeds[step].some((name) => privileges.includes(name))
  const mine = steps.filter(isMine)
  const left = known && mine.filter((step) => !known.done[step])
  // If only the own second factor is missing, the cloud is set up already, and another card shows two factor.
  const isComplete =
    left && (kept === 'begun' ? left.length === 0 : left.every((step) => step === 'twoFactor'))
  const next = isPending || kept === 'open' || !left ? undefined : isComplete ? 'closed' : 'begun'

  useEffect(() => {
    if (next && next !== kept) keep(next)
  })
  if (!known || isPending || (isComplete && kept !== 'open')) return undefined
  return { ...known, steps: mine, next: left?.[0], close: () => keep('closed') }
}
