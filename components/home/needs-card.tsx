import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay, useSession } from '#components/base/session/session'
import { DeviceStatusLine } from '#components/cloud/devices/device-status'
import { AddressLink } from '#components/cloud/nat/cells'
import { Card, Stack } from '#components/kit/layout'
import { Status, type StatusKind } from '#components/kit/status'
import { daysLeft, endsSoon } from '#components/people/access-tokens/token-facts'
import { EndsSoon } from '#components/table/ends'
import { endsWithin } from '#components/table/ends-token'
import { allDevicesQuery } from '#lib/cloud/infrastructure/devices.queries'
import { natChecksQuery } from '#lib/cloud/nat/check.queries'
import { natNetworksQuery } from '#lib/cloud/nat/networks.queries'
import { idOfLink, linkOf } from '#lib/ground/http/view'
import { tokensQuery } from '#lib/people/access-tokens/access-tokens.queries'
import { eventsQuery } from '#lib/record/events/events.queries'
import { isOpen, jobsQuery } from '#lib/record/jobs/jobs.queries'
import { endsQuery } from '#lib/state/ends/ends.queries'
import type { EndKind } from '#lib/state/ends/ends-list.schema'
import styles from './home.module.css'
import { Loading } from './list-card'

const MOST = 5

/** A kind of work that may wait for the user. `isWaiting`: until it is known whether there is any. */
type Need = { id: string; lines: ReactNode[]; isWaiting: boolean; error: Error | null; retry: () => void }

type Read<T> = { data: T | undefined; error: Error | null; isLoading: boolean; refetch: () => unknown }

const need = <T,>(id: string, read: Read<T>, linesOf: (data: T) => ReactNode[]): Need => ({
  id,
  lines: read.data === undefined ? [] : linesOf(read.data),
  isWaiting: read.isLoading,
  error: read.data === undefined ? read.error : null,
  retry: () => void read.refetch(),
})

/** What needs the user: each kind fails alone. The card has one height, whatever comes, so that nothing below it moves. */
export function NeedsCard() {
  const say = useTranslations('home.needs')
  const needs = [useGateways(), useFindings(), useFilling(), useRefused(), useTokens(), useEnds(), useJobs()]
  const isWaiting = needs.some((each) => each.isWaiting)
  const isQuiet = needs.every(({ lines, error }) => lines.length === 0 && error === null)
  return (
    <Card title={say('title')}>
      <div className={styles.needs}>
        {isWaiting ? (
          <Loading label={say('loading')} height={120} />
        ) : isQuiet ? (
          <Stack gap="s">
            <Status kind="good">{say('none')}</Status>
            <div className="quiet">{say('watched')}</div>
          </Stack>
        ) : (
          <ul className={styles.rows}>
            {needs.map(({ id, lines, error, retry }) => (
              <Fragment key={id}>
                {error ? (
                  <li>
                    <Failure error={error} retry={retry} />
                  </li>
                ) : (
                  lines
                )}
              </Fragment>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

type LineProps = { kind: StatusKind; children: ReactNode }

const Line = ({ kind, children }: LineProps) => (
  <li>
    <Status kind={kind}>{children}</Status>
  </li>
)

/** Gateways that are silent, too old, drifted or refuse translations. */
function useGateways(): Need {
  const say = useTranslations('gateways.home')
  const read = useQuery({
    ...allDevicesQuery({ faulty: true, limit: MOST }),
    enabled: useMay(...access.devices),
  })
  return need('gateways', read, ({ collection, totalSize }) => [
    ...collection.map((device) => {
      const location = linkOf(device, 'location')
      return (
        <li key={device.id} className={styles.event}>
          <span className={styles.place}>
            {say('gateway')}{' '}
            <AppLink to={paths.device(idOfLink(location) ?? 0, device.id)}>{device.name}</AppLink>{' '}
            <span className={styles.quiet}>{location?.title}</span>
          </span>
          <DeviceStatusLine status={device.status} />
        </li>
      )
    }),
    ...(totalSize > collection.length
      ? [
          <li key="others" className={styles.quiet}>
            {say('all', { count: totalSize - collection.length })}
          </li>,
        ]
      : []),
  ])
}

/** The errors and warnings of the check in each datacenter. */
function useFindings(): Need {
  const say = useTranslations('home.needs')
  const read = useQuery({
    ...natChecksQuery({ by: 'name', limit: 25 }),
    enabled: useMay('PHYS_DC_RETRIEVE_DETAILS'),
  })
  return need('findings', read, ({ collection }) =>
    collection
      .filter(({ error, warning }) => error + warning > 0)
      .map(({ id, name, error, warning }) => (
        <Line key={`check ${id}`} kind={error > 0 ? 'bad' : 'warn'}>
          {say.rich('findings', {
            name,
            error,
            warning,
            errors: (text) => <AppLink to={paths.check(id, 'error')}>{text}</AppLink>,
            warnings: (text) => <AppLink to={paths.check(id, 'warning')}>{text}</AppLink>,
          })}
        </Line>
      )),
  )
}

const SOON = 14

/** Users, NAT IPs and NAT rules that end within two weeks. */
function useEnds(): Need {
  const say = useTranslations('ends')
  const filter = { endsbefore: endsWithin(SOON) }
  const mayOpenRules = useMay(...access.natAddresses)
  const read = useQuery({
    ...endsQuery({ ...filter, limit: MOST }),
    enabled: useMay(...access.ends),
  })
  const lists: Record<EndKind, string | undefined> = {
    user: useMay(...access.users) ? paths.users(filter) : undefined,
    natip: mayOpenRules ? paths.natIps(undefined, filter) : undefined,
    natrule: mayOpenRules ? paths.natRules(undefined, filter) : undefined,
  }
  return need('ends', read, ({ collection, totalSize }) => [
    ...collection.map((end) => (
      <li key={`${end.kind} ${end.id}`} className={styles.event}>
        <span className={styles.place}>
          {end.kind === 'natip' ? (
            <AddressLink ip={end.name} />
          ) : (
            <ScreenLink link={linkOf(end, 'self')}>{end.name}</ScreenLink>
          )}
          {end.refused && <div className={styles.quiet}>{say('refused')}</div>}
        </span>
        <EndsSoon ends={end.ends} />
      </li>
    )),
    ...(totalSize > collection.length
      ? [<MoreEnds key="more ends" count={totalSize - collection.length} lists={lists} />]
      : []),
  ])
}

type MoreEndsProps = { count: number; lists: Readonly<Record<EndKind, string | undefined>> }

/** The ends that are not shown, and the lists that have them. */
function MoreEnds({ count, lists }: MoreEndsProps) {
  const say = useTranslations('ends')
  return (
    <li className={styles.event}>
      <span className={styles.place}>
        {say('more', { count })}
        {(['user', 'natip', 'natrule'] as const).map((kind) => {
          const list = lists[kind]
          return list === undefined ? null : (
            <Fragment key={kind}>
              {' · '}
              <AppLink to={list}>{say(`lists.${kind}`)}</AppLink>
            </Fragment>
          )
        })}
      </span>
    </li>
  )
}

const FILL_DAYS = 30

/** Networks that are full soon at the present rate. */
function useFilling(): Need {
  const say = useTranslations('home.needs')
  const format = useFormatter()
  const read = useQuery({
    ...natNetworksQuery(undefined, { fillswithin: FILL_DAYS, by: 'use', asc: false, limit: MOST }),
    enabled: useMay(...access.natNetworks),
  })
  return need('filling', read, ({ collection, totalSize }) => [
    ...collection.map((network) => (
      <Line key={`network ${network.id}`} kind="warn">
        {say.rich('fills', {
          name: network.name,
          day: format.dateTime(new Date(network.fillsOn ?? 0), { dateStyle: 'medium', timeZone: 'UTC' }),
          link: (text) => (
            <AppLink to={paths.natNetwork(idOfLink(linkOf(network, 'datacenter')) ?? 0, network.id, 'use')}>
              {text}
            </AppLink>
          ),
        })}
      </Line>
    )),
    ...(totalSize > collection.length
      ? [
          <li key="all filling">
            <AppLink to={paths.natNetworks(undefined, { fillswithin: FILL_DAYS })}>
              {say('allFilling', { count: totalSize })}
            </AppLink>
          </li>,
        ]
      : []),
  ])
}

const DAY = 24 * 60 * 60 * 1000
const HOUR = DAY / 24

/** Refused sign-ins of the last day. In whole hours, so that Home does not ask twice. */
function useRefused(): Need {
  const say = useTranslations('home.needs')
  const action = 'sign-in-refused'
  const from = new Date(Math.floor((Date.now() - DAY) / HOUR) * HOUR).toISOString()
  const read = useQuery({
    ...eventsQuery({ action, from, limit: 1 }),
    enabled: useMay(...access.events),
  })
  return need('refused', read, ({ totalSize }) =>
    totalSize === 0
      ? []
      : [
          <Line key="refused" kind="info">
            <AppLink to={paths.events({ action, last: 'P1D' })}>
              {say('refused', { count: totalSize })}
            </AppLink>
          </Line>,
        ],
  )
}

/** The user's own tokens that end within two weeks. */
function useTokens(): Need {
  const { id, enterprise, viewer } = useSession()
  const say = useTranslations('accessTokens.soon')
  const read = useQuery({
    ...tokensQuery({ id, enterprise: enterprise.id }, { by: 'expires', expired: false, limit: MOST }),
    enabled: !viewer,
  })
  const now = new Date(read.dataUpdatedAt)
  return need('tokens', read, ({ collection }) =>
    collection
      .filter((token) => endsSoon(token, now))
      .map((token) => (
        <Line key={`token ${token.id}`} kind="warn">
          {say.rich('one', {
            name: token.name,
            days: daysLeft(token, now),
            link: (inside) => <AppLink to={paths.token(token.id)}>{inside}</AppLink>,
          })}
        </Line>
      )),
  )
}

/** The user's own jobs, which the tray in the top bar shows too. */
function useJobs(): Need {
  const say = useTranslations('home.needs')
  // The tray has just read them.
  const read = useQuery({ ...jobsQuery(useSession().id), refetchOnMount: false })
  return need('jobs', read, ({ collection }) => {
    const count = collection.filter(isOpen).length
    return count === 0
      ? []
      : [
          <Line key="jobs" kind="busy">
            {say('jobs', { count })}
          </Line>,
        ]
  })
}
