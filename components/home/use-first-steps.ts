import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { access } from '#components/base/screens/access'
import { useMay, useSession } from '#components/base/session/session'
import { firstDatacenters } from '#components/cloud/nat/nat-use'
import type { Privilege } from '#lib/caller/auth/privileges'
import { preferencesQuery, usePreference } from '#lib/caller/preferences/preferences.queries'
import { isOnlyOf, scopesOfEnterpriseQuery } from '#lib/caller/scopes/scopes.queries'
import { gatewaysQuery } from '#lib/cloud/infrastructure/devices.queries'
import { hasReported, isLinux } from '#lib/cloud/infrastructure/devices.schema'
import { natUseQuery } from '#lib/cloud/nat/networks.queries'
import { usersQuery } from '#lib/people/identity/users.queries'

/** The privileges of each step, in the order of the steps: any one of them, of `rule` all. */
export const stepNeeds = {
  datacenter: ['PHYS_DC_MANAGE'],
  device: ['MANAGE_DEVICES'],
  network: access.changeNatNetworks,
  ips: access.changeNatNetworks,
  gateway: ['MANAGE_DEVICES'],
  rule: access.publish,
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

/**
 * Which steps are done, and the datacenter of the next ones. Each kind is asked for little. A first visit to a cloud that has NAT
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
  // A network has a device, so the others are asked only before the first network.
  const places = hasNetworks ? datacenters.filter(({ networks }) => networks > 0).slice(0, 1) : datacenters
  const devices = useQueries({
    queries: isSetUp ? [] : places.map(({ id }) => gatewaysQuery(id)),
  })
  const asksScopes = mayScopes && uses.isSuccess && !isSetUp
  const asksUsers = mayUsers && uses.isSuccess && !isSetUp
  const { id: enterprise } = session.enterprise
  const scopes = useQuery({ ...scopesOfEnterpriseQuery(enterprise), enabled: asksScopes })
  const users = useQuery({ ...usersQuery(undefined, { service: false, limit: 1 }), enabled: asksUsers })
  const asked = [uses, ...devices, ...(asksScopes ? [scopes] : []), ...(asksUsers ? [users] : [])]
  const missing = asked.filter(({ data }) => data === undefined)
  if (missing.length > 0) return missing.some(({ failureCount }) => failureCount > 0) ? undefined : 'asking'

  const found = Math.max(
    devices.findIndex(({ data }) => (data?.totalSize ?? 0) > 0),
    0,
  )
  const place = places[found]
  const ofPlace = devices[found]?.data?.collection ?? []
  const linux = ofPlace.filter(isLinux)
  const done: Record<FirstStep, boolean> = {
    datacenter: datacenters.length > 0,
    device: hasNetworks || ofPlace.length > 0,
    network: hasNetworks,
    ips: hasIps,
    gateway: isSetUp || linux.some(hasReported),
    rule: isSetUp || datacenters.some(({ rules }) => rules > 0),
    scope: isSetUp || (scopes.data?.collection ?? []).some((scope) => isOnlyOf(scope, enterprise)),
    // An installation begins with one user. Gateways are service accounts.
    colleague: isSetUp || (users.data?.totalSize ?? 0) > 1,
    twoFactor: session.twoFactorProvider !== undefined && !session.isEnrolling,
  }
  // Devices of other types have no gateway of this product.
  const hasGateway = isSetUp || ofPlace.length === 0 || linux.length > 0
  return { done, place: place && { id: place.id, name: place.name }, hasGateway }
}

/** The steps that the user can take; undefined if they cannot be read, or are not to be shown. */
export function useFirstSteps() {
  const [kept, keep] = useFirstStepsChoice()
  const { isPending } = useQuery(preferencesQuery)
  const { privileges } = useSession()
  const read = useDone(kept === undefined && !isPending)
  const isAsking = isPending || read === 'asking'
  const known = read === 'asking' ? undefined : read
  const holds = (name: Privilege) => privileges.includes(name)
  const isMine = (step: FirstStep) =>
    step === 'rule'
      ? stepNeeds.rule.every(holds)
      : stepNeeds[step].length === 0 || stepNeeds[step].some(holds)
  const mine = steps.filter((step) => isMine(step) && (step !== 'gateway' || known?.hasGateway))
  const left = known && mine.filter((step) => !known.done[step])
  // If only the own second factor is missing, the cloud is set up already, and another card shows two factor.
  const isComplete =
    left && (kept === 'begun' ? left.length === 0 : left.every((step) => step === 'twoFactor'))
  const next = isPending || kept === 'open' || !left ? undefined : isComplete ? 'closed' : 'begun'

  useEffect(() => {
    if (next && next !== kept) keep(next)
  })
  if (isAsking) return 'asking'
  if (!known || (isComplete && kept !== 'open')) return undefined
  return { ...known, steps: mine, next: left?.[0], close: () => keep('closed') }
}
