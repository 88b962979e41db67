import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { AppLink } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { Card } from '#components/kit/layout'
import { weekQuery } from '#lib/record/events/events.queries'
import type {
  DoneDocument,
  EventSummaryDocument,
  UserSummaryDocument,
} from '#lib/record/events/summary.schema'
import styles from './home.module.css'
import { Loading } from './list-card'

const WEEK = 7 * 24 * 60 * 60 * 1000
const last = 'P7D'

/** The users and their changes in the last seven days. */
export function WeekCard() {
  const say = useTranslations('home.week')
  const format = useFormatter()
  const { data, error, refetch } = useQuery(weekQuery())
  const isCut = data && Date.parse(data.from) > Date.now() - WEEK
  const time = data && format.dateTime(new Date(data.from), { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <Card
      title={say('title')}
      about={isCut && time && say('since', { time })}
      footer={data && data.users.length > 0 && <AppLink to={paths.events({ last })}>{say('all')}</AppLink>}
    >
      {data ? (
        <People summary={data} />
      ) : error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Loading label={say('loading')} height={160} />
      )}
    </Card>
  )
}

function People({ summary: { users, totalUsers } }: { summary: EventSummaryDocument }) {
  const say = useTranslations('home.week')
  if (users.length === 0) return <div className="quiet">{say('none')}</div>
  const most = Math.max(...users.map(({ count }) => count))
  const others = totalUsers - users.length
  return (
    <ul className={styles.rows}>
      {users.map((user) => (
        <Person key={user.id} user={user} share={user.count / most} />
      ))}
      {others > 0 && <li className={styles.quiet}>{say('others', { count: others })}</li>}
    </ul>
  )
}

/** The changes of a user, and a bar that compares their number with other users. */
function Person({ user, share }: { user: UserSummaryDocument; share: number }) {
  const say = useTranslations('home.week')
  const deeds = useDeeds(user.changes)
  const who = (name: ReactNode) => <AppLink to={paths.events({ user: user.id, last })}>{name}</AppLink>
  return (
    <li className={styles.person}>
      <span className={styles.place}>{say.rich('did', { name: user.name ?? user.user, deeds, who })}</span>
      <span className={styles.share}>
        <span className={styles.bar} style={{ inlineSize: `${Math.max(share * 100, 2)}%` }} />
        <span className={styles.quiet}>{say('changes', { count: user.count })}</span>
      </span>
    </li>
  )
}

const worded = ['create', 'update', 'delete', 'attach', 'release'] as const

/** Others are summed up. */
const mostDeeds = 3

function useDeeds(changes: readonly DoneDocument[]): string {
  const say = useTranslations('home.week')
  const format = useFormatter()
  const named = changes
    .flatMap(({ action, ...done }) => {
      const verb = worded.find((name) => name === action)
      return verb ? [{ verb, ...done }] : []
    })
    .slice(0, mostDeeds)
  const sum = (some: readonly { count: number }[]) => some.reduce((total, { count }) => total + count, 0)
  const others = sum(changes) - sum(named)
  return format.list([
    ...named.map(({ verb, entityType, count }) =>
      say(`deeds.${verb}`, { things: say(`things.${entityType}`, { count }) }),
    ),
    ...(others > 0 ? [say('deeds.other', { count: others })] : []),
  ])
}
