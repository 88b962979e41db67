import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Copy } from '#components/base/forms/copy'
import { Failure } from '#components/base/forms/failure'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Row, Stack } from '#components/kit/layout'
import { Status } from '#components/kit/status'
import { natRuleQuery } from '#lib/cloud/nat/rules.queries'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { reachOf, trialOf } from './reach'

/** Whether a connection has come through a new rule, by the counters of its gateway. Changes by itself. */
export function Reached({ rule }: { rule: NatRuleDocument }) {
  const say = useTranslations('nat.reached')
  const read = useQuery(natRuleQuery(rule))
  const now = read.data?.document ?? rule
  const reach = reachOf(now)
  const kind = { yes: 'good', notYet: 'busy', no: 'bad', unknown: 'off' } as const
  const why = now.deviceState ?? 'unmanaged'
  return (
    <Stack gap="s">
      <div role="status">
        <Status kind={kind[reach]}>
          {say(now.snat ? 'outward' : 'inward')} <strong>{say(reach)}</strong>
        </Status>
      </div>
      <div className="quiet">
        {reach === 'yes' ? say('count', { count: now.packets ?? 0 }) : say(`why.${why}`)}
      </div>
      {reach === 'notYet' && <Trial rule={now} />}
      {reach === 'unknown' && <AppLink to={paths.help('gateway')}>{say('help')}</AppLink>}
      {read.error && <Failure error={read.error} />}
    </Stack>
  )
}

/** How to send a first packet through the rule. */
function Trial({ rule }: { rule: NatRuleDocument }) {
  const say = useTranslations('nat.reached')
  const trial = trialOf(rule)
  return (
    <Stack gap="s">
      <div>{say(rule.snat ? 'tryOutward' : 'tryInward')}</div>
      <Row gap="m">
        <code>{trial}</code>
        <Copy text={trial} label={say('copy')} />
      </Row>
    </Stack>
  )
}
