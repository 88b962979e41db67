import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay, useSession } from '#components/base/session/session'
import { deferredOver } from '#components/kit/deferred-over'
import { Facts } from '#components/kit/facts'
import { Card, Stack } from '#components/kit/layout'
import { Status } from '#components/kit/status'
import { Tool } from '#components/kit/tool'
import { natFindingsQuery } from '#lib/cloud/nat/check.queries'
import { heldIpRulesQuery } from '#lib/cloud/nat/ips.queries'
import type { NatIpDocument } from '#lib/cloud/nat/ips.schema'
import { natIpRulesQuery } from '#lib/cloud/nat/rules.queries'
import type { NatRuleDocument } from '#lib/cloud/nat/rules.schema'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { StateOfIp } from './cells'
import { openIpOf, rulesOfIp } from './open-ip'
import { Translation } from './translation'
import { datacenterOf } from './use-datacenter'

const PacketDialog = deferredOver(
  async () => (await import('#components/cloud/nat-check/packet-dialog')).PacketDialog,
)

type OfIp = { ip: NatIpDocument }

type AddressNowProps = OfIp & {
  /** The only NAT IP with the address. */
  isOne: boolean
  /** The user may read all NAT IPs of the datacenter. */
  mayRead: boolean
}

/** A NAT IP: its holder, its place, its rules, and what the check finds about it. */
export function AddressNow({ ip, isOne, mayRead }: AddressNowProps) {
  const say = useTranslations('address')
  const place = linkOf(ip, 'datacenter')?.title ?? ''
  const [isAsking, setAsking] = useState(false)
  return (
    <Card
      title={isOne ? say('now') : say('nowIn', { datacenter: place })}
      actions={mayRead && <Tool onPress={() => setAsking(true)}>{say('packet')}</Tool>}
    >
      <Stack gap="l">
        <IpFacts ip={ip} mayRead={mayRead} />
        <Rules ip={ip} mayRead={mayRead} />
        {mayRead && <Findings ip={ip} />}
      </Stack>
      {isAsking && <PacketDialog datacenter={datacenterOf(ip)} to={ip.ip} onClose={() => setAsking(false)} />}
    </Card>
  )
}

type OfReader = OfIp & { mayRead: boolean }

function IpFacts({ ip, mayRead }: OfReader) {
  const say = useTranslations('address')
  const label = useTranslations('labels')
  const sayIps = useTranslations('nat.ips')
  const { scope } = useSession()
  const { network } = openIpOf(ip)
  const datacenter = datacenterOf(ip)
  const holder = linkOf(ip, 'virtualdatacenter')
  const nobody = say(scope.allEnterprises ? 'free' : 'unseen')
  return (
    <Facts
      columns={4}
      label={ip.ip}
      items={[
        { label: label('state'), value: <StateOfIp ip={ip} /> },
        { label: say('holder'), value: holder ? <ScreenLink link={holder} /> : nobody },
        { label: label('enterprise'), value: <ScreenLink link={linkOf(ip, 'enterprise')} /> },
        { label: label('datacenter'), value: <ScreenLink link={linkOf(ip, 'datacenter')} /> },
        { label: label('network'), value: <ScreenLink link={linkOf(ip, 'natnetwork')} /> },
        ...(mayRead
          ? [
              {
                label: say('place'),
                value: (
                  <>
                    <AppLink to={paths.natNetwork(datacenter, network, 'map')}>{label('addressMap')}</AppLink>
                    {' · '}
                    <AppLink to={`${paths.natNetwork(datacenter, network, 'ips')}&ips.at=${ip.ip}`}>
                      {say('neighbours')}
                    </AppLink>
                  </>
                ),
              },
            ]
          : []),
        { label: label('defaultSnat'), value: sayIps(ip.defaultSnat ? 'yes' : 'no') },
      ]}
    />
  )
}

/** The rules that are shown. */
const MOST = 20

function Rules({ ip, mayRead }: OfReader) {
  const say = useTranslations('nat.ip')
  const label = useTranslations('labels')
  const { network, id } = openIpOf(ip)
  const datacenter = datacenterOf(ip)
  const center = idOfLink(linkOf(ip, 'virtualdatacenter')) ?? 0
  const every = useQuery({
    ...natIpRulesQuery({ datacenter, network, natip: id }, { limit: MOST }),
    enabled: mayRead,
  })
  const own = useQuery({ ...heldIpRulesQuery(center, id, { limit: MOST }), enabled: !mayRead && center > 0 })
  const read = mayRead ? every : own
  if (!read.data) return <Waiting read={read} />
  const { collection, totalSize } = read.data
  return (
    <Stack gap="s">
      <h3>{label('rules')}</h3>
      {totalSize === 0 && <div className="quiet">{say('noRules')}</div>}
      {collection.map((rule) => (
        <Rule key={rule.id} rule={rule} />
      ))}
      {mayRead && totalSize > MOST && (
        <AppLink to={rulesOfIp(datacenter, { network, id })}>{say('allRules', { count: totalSize })}</AppLink>
      )}
    </Stack>
  )
}

const Rule = ({ rule }: { rule: NatRuleDocument }) => (
  <div>
    <Translation rule={rule} /> {rule.protocol} <ScreenLink link={linkOf(rule, 'virtualmachine')} />
  </div>
)

const signs = { error: 'bad', warning: 'warn', info: 'off' } as const

/** The messages of the check name the address. */
function Findings({ ip }: OfIp) {
  const say = useTranslations('address')
  const sayCheck = useTranslations('natCheck')
  const { network } = openIpOf(ip)
  const place = { datacenter: datacenterOf(ip), network }
  const read = useQuery({
    ...natFindingsQuery(place, { has: ip.ip, limit: 50 }),
    enabled: useMay('PHYS_DC_RETRIEVE_DETAILS'),
  })
  if (!read.data) return <Waiting read={read} />
  const about = read.data.collection.filter(({ links }) =>
    links.some(({ rel, href }) => rel === 'natip' && href === linkOf(ip, 'self')?.href),
  )
  return (
    <Stack gap="s">
      <h3>{say('findings')}</h3>
      {about.length === 0 && <Status kind="good">{say('sound')}</Status>}
      {about.map(({ code, severity, message }) => (
        <div key={message}>
          <Status kind={signs[severity]}>{sayCheck(`codes.${code}.title`)}</Status>
          <div className="quiet">{message}</div>
        </div>
      ))}
    </Stack>
  )
}
