import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'
import { useTranslations } from 'use-intl'
import { useSession } from '#components/session/session'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import { type IpState, ipState } from './ip-state'

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
