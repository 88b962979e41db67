import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { Failure, Waiting } from '#components/base/forms/failure'
import { RequiredPrivilege } from '#components/base/forms/why'
import { access } from '#components/base/screens/access'
import { momentText } from '#components/base/screens/moments'
import { paths } from '#components/base/screens/paths'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { useMay } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { Card, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { allAddressHistoryQuery, allHeldIpsQuery, natIpsQuery } from '#lib/cloud/nat/ips.queries'
import { formatAddress, parseAddress } from '#lib/ground/net/addresses'
import { AddressHistory, Holding } from './address-history'
import { AddressNow } from './address-now'
import { MomentForm } from './moment-form'

/** One address in all datacenters: who holds it and who held it, its rules, its findings. */
export function Component() {
  const say = useTranslations('address')
  const sayNat = useTranslations('nat.ips')
  const mayRead = useMay(...access.natAddresses)
  const typed = useParams().address ?? ''
  const parsed = parseAddress(typed)
  const ip = parsed && formatAddress(parsed.version, parsed.value)
  return (
    <Page
      title={ip ?? typed}
      description={ip && say('about')}
      breadcrumbs={mayRead ? [{ text: sayNat('title'), href: paths.natIps() }] : []}
    >
      {ip ? <Content key={ip} ip={ip} /> : <Notice kind="warn">{say('noAddress', { typed })}</Notice>}
    </Page>
  )
}

function Content({ ip }: { ip: string }) {
  const say = useTranslations('address')
  const mayRead = useMay(...access.natAddresses)
  return (
    <Stack gap="l">
      {mayRead && <Asked ip={ip} />}
      <Now ip={ip} mayRead={mayRead} />
      <Card title={say('holders')}>
        {mayRead ? <AddressHistory ip={ip} /> : <RequiredPrivilege privilege="PHYS_DC_RETRIEVE_DETAILS" />}
      </Card>
    </Stack>
  )
}

/** The question who held the address at a moment, and its answer. The link keeps the moment. */
function Asked({ ip }: { ip: string }) {
  const say = useTranslations('address')
  const change = useSearchChange()
  const at = useSearchParams()[0].get('at') ?? undefined
  return (
    <Card title={say('asked', { ip })}>
      <Stack>
        <MomentForm key={at} at={at} onAsk={(moment) => change({ at: moment })} />
        {at !== undefined && <Answer ip={ip} at={at} />}
      </Stack>
    </Card>
  )
}

function Answer({ ip, at }: { ip: string; at: string }) {
  const say = useTranslations('address')
  const format = useFormatter()
  const read = useQuery({ ...allAddressHistoryQuery({ ip, at }), retry: false })
  if (read.error) return <Failure error={read.error} />
  if (!read.data) return <Waiting read={read} />
  const { collection } = read.data
  return (
    <div aria-live="polite">
      <strong>{say('on', { moment: momentText(format, at) })}</strong>
      {collection.length === 0 ? (
        <div>{say('nobody', { ip })}</div>
      ) : (
        collection.map((holding) => (
          <div key={`${holding.from} ${holding.links[0]?.href}`}>
            <Holding holding={holding} withPlace />
          </div>
        ))
      )}
    </div>
  )
}

/** The NAT IPs that have the address: one in each datacenter. Without the privilege for details, those that visible virtual datacenters hold. */
function Now({ ip, mayRead }: { ip: string; mayRead: boolean }) {
  const say = useTranslations('address')
  const all = useQuery({
    ...natIpsQuery(undefined, undefined, { address: ip, all: true, limit: 20 }),
    enabled: mayRead,
  })
  const held = useQuery({ ...allHeldIpsQuery({ within: ip, limit: 20 }), enabled: !mayRead })
  const read = mayRead ? all : held
  if (!read.data) return <Waiting read={read} />
  const { collection } = read.data
  if (collection.length === 0)
    return <Card title={say('now')}>{say(mayRead ? 'absent' : 'absentForYou', { ip })}</Card>
  return collection.map((each) => (
    <AddressNow key={each.id} ip={each} isOne={collection.length === 1} mayRead={mayRead} />
  ))
}
