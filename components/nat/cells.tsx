import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useSession } from '#components/session/session'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import { type IpState, ipState } from './ip-state'

/** An address, a network or a port, in figures that stand under each other. */
export const Address = ({ children }: { children: ReactNode }) => (
  <span style={{ fontVariantNumeric: 'tabular-nums slashed-zero', overflowWrap: 'anywhere' }}>
    {children}
  </span>
)

/** A number as the reader writes it. */
export const Count = ({ of }: { of: number }) => useFormatter().number(of)

const types: Record<IpState, StatusIndicatorProps.Type> = {
  free: 'success',
  unknown: 'pending',
  attached: 'info',
  unavailable: 'stopped',
  quarantine: 'warning',
}

/** What matters most about an IP, in a word. */
export function StateOfIp({ ip }: { ip: NatIpDocument }) {
  const say = useTranslations('nat.states')
  const { scope } = useSession()
  const state = ipState(ip, scope.allEnterprises)
  return <StatusIndicator type={types[state]}>{say(state)}</StatusIndicator>
}
