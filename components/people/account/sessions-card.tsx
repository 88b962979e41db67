import { useMutation } from '@tanstack/react-query'
import Bowser from 'bowser'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { Confirm } from '#components/base/forms/confirm'
import { useAction } from '#components/base/forms/use-action'
import { ExactTime, exactTime, TimeAgo } from '#components/base/screens/moments'
import { Button } from '#components/kit/button'
import { Badge } from '#components/kit/status'
import { ServerTable } from '#components/table/server-table'
import type { TableColumn } from '#components/table/table-columns'
import { useIsNarrow } from '#components/table/table-width'
import { useList } from '#components/table/use-list'
import { useTableState } from '#components/table/use-table-state'
import { endOtherSessions, endOwnSession, ownSessionsQuery } from '#lib/caller/auth/own-account.queries'
import type { SessionItem } from '#lib/caller/auth/session.schema'
import { ApiFailure } from '#lib/client/api'
import type { Say } from '#lib/words/words'

/** The user's sessions, each with a button that ends it. */
export function SessionsCard() {
  const say = useTranslations('account.sessions')
  const table = useTableState({
    name: 'sessions',
    prefix: 'sessions',
    by: 'lastUse',
    asc: false,
    orders: ['lastUse'],
  })
  const list = useList(table, (startwith) => ownSessionsQuery({ ...table.query, startwith }))
  const [asksForAll, setAsksForAll] = useState(false)
  const { end, ending } = useEnd()
  const columns = useIsNarrow() ? narrowSessionColumns : sessionColumns
  return (
    <>
      <ServerTable
        title={say('title')}
        description={say('about')}
        table={table}
        list={list}
        columns={columns({ say, now: new Date(list.dataUpdatedAt), ending, onEnd: end })}
        actions={<Button onPress={() => setAsksForAll(true)}>{say('endOthers')}</Button>}
        empty={{ title: say('empty'), hint: say('emptyHint') }}
      />
      <EndOthersDialog visible={asksForAll} onClose={() => setAsksForAll(false)} />
    </>
  )
}

function useEnd() {
  const say = useTranslations('account.sessions')
  const sayDevice = useTranslations('account.device')
  const ending = useMutation(endOwnSession())
  const nameOf = ({ userAgent, address }: SessionItem) =>
    sayDevice('at', { device: deviceName(sayDevice, userAgent), address })
  const end = useAction(ending, {
    done: (_, session) => say('ended', { name: nameOf(session) }),
    failed: (session, error) =>
      error instanceof ApiFailure && error.has('SESSION-0')
        ? { type: 'info', content: say('endedBefore', { name: nameOf(session) }) }
        : say('notEnded', { name: nameOf(session) }),
  })
  return { end, ending: ending.isPending ? ending.variables.id : undefined }
}

type Column = TableColumn<SessionItem>

type SessionColumns = {
  say: Say<'account.sessions'>
  /** When the list was read. */
  now: Date
  /** The id of the session that is being ended. */
  ending: number | undefined
  onEnd: (session: SessionItem) => void
}

function Device({ userAgent }: Pick<SessionItem, 'userAgent'>) {
  const say = useTranslations('account.device')
  return <span title={userAgent}>{deviceName(say, userAgent)}</span>
}

function ThisSession() {
  const say = useTranslations('account.sessions')
  return <Badge kind="good">{say('current')}</Badge>
}

type EndProps = Pick<SessionColumns, 'ending' | 'onEnd'> & { session: SessionItem }

function End({ session, ending, onEnd }: EndProps) {
  const say = useTranslations('account.sessions')
  const sayDevice = useTranslations('account.device')
  const format = useFormatter()
  const device = deviceName(sayDevice, session.userAgent)
  const since = exactTime(format, session.began)
  return (
    <Button
      look="link"
      label={say('endThis', { device, address: session.address, since })}
      busy={ending === session.id}
      busyText={say('ending')}
      onPress={() => onEnd(session)}
    >
      {say('end')}
    </Button>
  )
}

const end = ({ say, ending, onEnd }: SessionColumns): Column => ({
  id: 'end',
  header: say('actions'),
  cell: (session) => !session.current && <End session={session} ending={ending} onEnd={onEnd} />,
})

const sessionColumns = (context: SessionColumns): Column[] => [
  {
    id: 'device',
    isRowHeader: true,
    cell: ({ userAgent, current }) => (
      <>
        <Device userAgent={userAgent} /> {current && <ThisSession />}
      </>
    ),
  },
  { id: 'address', cell: ({ address }) => address },
  { id: 'began', header: context.say('since'), cell: ({ began }) => <ExactTime at={began} /> },
  {
    id: 'lastUse',
    header: context.say('lastUse'),
    by: 'lastUse',
    cell: ({ lastUse }) => <TimeAgo at={lastUse} now={context.now} />,
  },
  end(context),
]

/** For narrow screens. */
const narrowSessionColumns = (context: SessionColumns): Column[] => [
  {
    // Not `device`: the table stores widths by id.
    id: 'place',
    header: context.say('device'),
    isRowHeader: true,
    cell: ({ userAgent, address, lastUse, current }) => (
      <>
        <Device userAgent={userAgent} />
        <div className="small">
          {context.say.rich('place', { address, used: () => <TimeAgo at={lastUse} now={context.now} /> })}
        </div>
        {current && <ThisSession />}
      </>
    ),
  },
  end(context),
]

function EndOthersDialog({ visible, onClose }: { visible: boolean; onClose: () => void }) {
  const say = useTranslations('account.sessions')
  return (
    <Confirm
      visible={visible}
      title={say('endOthersTitle')}
      label={say('endOthers')}
      busyLabel={say('ending')}
      mutation={useMutation(endOtherSessions())}
      input={undefined}
      done={() => say('othersEnded')}
      onDone={onClose}
      onCancel={onClose}
    >
      <p>{say('endOthersText')}</p>
    </Confirm>
  )
}

/** The browser or program in a User-Agent: `Chrome on Linux`, `Program (curl 8.5)`. */
export function deviceName(say: Say<'account.device'>, userAgent: string): string {
  if (!/^(Mozilla|Opera)\//.test(userAgent)) return programName(say, userAgent)
  const {
    browser: { name: browser },
    os: { name: system },
  } = Bowser.parse(userAgent)
  // For an unknown User-Agent, Bowser returns its first product as the browser.
  if (!browser || browser === 'Mozilla') return say('unknown')
  return system ? say('browserOn', { browser, system }) : browser
}

const LONGEST = 40

/** RFC 9110 §10.1.5: the first product is the most important one. */
function programName(say: Say<'account.device'>, userAgent: string): string {
  const [product = ''] = userAgent.trim().split(/\s/, 1)
  if (product === '') return say('unknown')
  const [, name, version] = /^([^/]+)\/v?(\d+(?:\.\d+)?)(?:\.[\d.]*)?$/.exec(product) ?? []
  return say('program', { name: (name ? `${name} ${version}` : product).slice(0, LONGEST) })
}
