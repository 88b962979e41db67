import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useSession } from '#components/session/session'
import { Mark, type MarkKind } from '#components/table/cells'
import type { NatIpDocument } from '#lib/nat/ips.schema'
import { type IpState, ipStates } from './ip-state'
import styles from './nat.module.css'

/** An address, a network or a number, in digits of equal width so that rows align. */
export const Address = ({ children }: { children: ReactNode }) => (
  <span style={{ fontVariantNumeric: 'tabular-nums slashed-zero', overflowWrap: 'anywhere' }}>
    {children}
  </span>
)

/** A number in the format of the user's locale. */
export const Count = ({ of }: { of: number }) => useFormatter().number(of)

const kinds: Record<IpState, MarkKind> = {
  free: 'good',
  unknown: 'unknown',
  attached: 'info',
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
    </span>
  )
}
