import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { useSettled } from '#lib/client/use-settled'
import { heldIpRulesQuery } from '#lib/cloud/nat/ips.queries'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { linkOf } from '#lib/ground/http/view'
import { portsText } from '#lib/ground/net/endpoints'

const pauseInTyping = 300

type Wanted = {
  /** The virtual datacenter that holds the NAT IP. */
  center: number | undefined
  natIp: number | undefined
  /** The ports as the filter `overlaps` takes them; undefined: no rule is in the way. */
  overlaps: string | undefined
  /** The rule that changes. */
  self?: number
}

/** While the user types: why the ports are not free, with the rule in the way. */
export function useTakenPorts({ center = 0, natIp = 0, overlaps, self }: Wanted): ReactNode {
  const may = useMay('VDC_ENUMERATE', 'MANAGE_NATIPS')
  const settled = useSettled(overlaps, pauseInTyping)
  const { data } = useQuery({
    // One of the two may be `self`.
    ...heldIpRulesQuery(center, natIp, { overlaps: settled, limit: 2 }),
    placeholderData: undefined,
    enabled: may && center > 0 && natIp > 0 && settled !== undefined,
  })
  const rule = settled === overlaps ? data?.collection.find(({ id }) => id !== self) : undefined
  return rule && <TakenPorts ports={overlaps?.split(':')[1]} rule={rule} />
}

function TakenPorts({ ports = '', rule }: { ports: string | undefined; rule: NatRuleDocument }) {
  const say = useTranslations('nat.rule')
  const self = linkOf(rule, 'self')
  const count = ports === '' ? 0 : ports.includes('-') ? 2 : 1
  if (!self) return say('takenUnseen', { count, ports })
  return say.rich('taken', {
    ...{ count, ports, name: nameOf(rule), enabled: String(rule.enabled) },
    link: (name) => (
      <ScreenLink link={self} newTab={say('opensTab')}>
        {name}
      </ScreenLink>
    ),
  })
}

/** TCP 2000-2999 → web-1:80 */
function nameOf(rule: NatRuleDocument): string {
  const outer = portsText(rule.originalPort, rule.originalPortEnd)
  const inner = [linkOf(rule, 'virtualmachine')?.title, rule.translatedPort]
  return `${[rule.protocol, outer].filter(Boolean).join(' ')} → ${inner.filter(Boolean).join(':')}`
}
