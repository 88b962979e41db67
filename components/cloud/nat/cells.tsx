import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useMay, useSession } from '#components/base/session/session'
import { Mark, type MarkKind } from '#components/table/cells'
import { EndsSoon } from '#components/table/ends'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { idOfLink, type LinkDocument, linkOf } from '#lib/ground/http/view'
import { type IpState, ipStates } from './ip-state'
import styles from './nat.module.css'

/** An address, a network or a number, in digits of equal width so that rows align. */
export const Address = ({ children }: { children: ReactNode }) => (
  <span className={styles.address}>{children}</span>
)

/** Leads to the page of the address, if the user may open it. */
export function AddressLink({ ip }: { ip: string }) {
  const text = <Address>{ip}</Address>
  return useMay(...access.addresses) ? <AppLink to={paths.address(ip)}>{text}</AppLink> : text
}

/** A number in the format of the user's locale. */
export const Count = ({ of }: { of: number }) => useFormatter().number(of)

export const kinds: Record<IpState, MarkKind> = {
  free: 'good',
  unknown: 'unknown',
  attached: 'held',
  unavailable: 'off',
  quarantine: 'warning',
}

export function StateOfIp({ ip }: { ip: NatIpDocument }) {
  const say = useTranslations('nat.states')
  const { scope } = useSession()
  return (
    <span className={styles.states}>
      {ipStates(ip, scope.allEnterprises).map((state) => (
        <Mark key={state} kind={kinds[state]}>
          {say(state)}
        </Mark>
      ))}
      <EndsSoon ends={ip.ends} />
    </span>
  )
}

const ruleKinds: Record<NonNullable<NatRuleDocument['deviceState']>, MarkKind> = {
  active: 'good',
  pending: 'held',
  drifted: 'warning',
  refused: 'warning',
  outdated: 'warning',
  silent: 'warning',
  unmanaged: 'off',
}

/** The gateway's report about the rule: none in the past. */
export function RuleState({ state }: { state: NatRuleDocument['deviceState'] }) {
  const say = useTranslations('nat.rules.states')
  return state === undefined ? null : <Mark kind={ruleKinds[state]}>{say(state)}</Mark>
}

/** Links the datacenter if the user may open it. */
function InDatacenter({ link }: { link: LinkDocument | undefined }) {
  const mayOpen = useMay(...access.datacenters)
  const id = idOfLink(link)
  if (id === undefined) return '–'
  const name = link?.title ?? String(id)
  return mayOpen ? <AppLink to={paths.datacenter(id)}>{name}</AppLink> : name
}

/** The column of lists over several datacenters. */
export const datacenterColumn = {
  id: 'datacenter',
  by: 'datacenter',
  cell: (row: Parameters<typeof linkOf>[0]) => <InDatacenter link={linkOf(row, 'datacenter')} />,
} as const
