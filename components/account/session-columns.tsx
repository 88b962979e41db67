import Badge from '@cloudscape-design/components/badge'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import { useFormatter, useTranslations } from 'use-intl'
import { ExactTime, exactTime, TimeAgo } from '#components/table/moments'
import type { TableColumn } from '#components/table/table-columns'
import type { SessionItem } from '#lib/auth/session.schema'
import type { Say } from '#lib/words/words'
import { deviceName } from './device'

type Column = TableColumn<SessionItem>

type SessionColumns = {
  say: Say<'account.sessions'>
  /** When the list was read. */
  now: Date
  /** The session that is being ended. */
  ending: number | undefined
  onEnd: (session: SessionItem) => void
}

function Device({ userAgent }: Pick<SessionItem, 'userAgent'>) {
  const say = useTranslations('account.device')
  return <span title={userAgent}>{deviceName(say, userAgent)}</span>
}

function ThisSession() {
  const say = useTranslations('account.sessions')
  return <Badge color="green">{say('current')}</Badge>
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
      variant="inline-link"
      ariaLabel={say('endThis', { device, address: session.address, since })}
      loading={ending === session.id}
      loadingText={say('ending')}
      onClick={() => onEnd(session)}
    >
      {say('end')}
    </Button>
  )
}

const end = ({ say, ending, onEnd }: SessionColumns): Column => ({
  id: 'end',
  header: say('actions'),
  width: 120,
  minWidth: 110,
  cell: (session) => !session.current && <End session={session} ending={ending} onEnd={onEnd} />,
})

export const sessionColumns = (context: SessionColumns): Column[] => [
  {
    id: 'device',
    header: context.say('device'),
    isRowHeader: true,
    width: 260,
    cell: ({ userAgent, current }) => (
      <>
        <Device userAgent={userAgent} /> {current && <ThisSession />}
      </>
    ),
  },
  { id: 'address', header: context.say('address'), width: 160, cell: ({ address }) => address },
  {
    id: 'began',
    header: context.say('since'),
    width: 200,
    cell: ({ began }) => <ExactTime at={began} />,
  },
  {
    id: 'lastUse',
    header: context.say('lastUse'),
    by: 'lastUse',
    width: 160,
    cell: ({ lastUse }) => <TimeAgo at={lastUse} now={context.now} />,
  },
  end(context),
]

/** Where there is no room for columns. */
export const narrowSessionColumns = (context: SessionColumns): Column[] => [
  {
    // Of its own: the table remembers widths by id.
    id: 'place',
    header: context.say('device'),
    isRowHeader: true,
    width: 210,
    cell: ({ userAgent, address, lastUse, current }) => (
      <>
        <Device userAgent={userAgent} />
        <Box variant="small" display="block">
          {context.say.rich('place', { address, used: () => <TimeAgo at={lastUse} now={context.now} /> })}
        </Box>
        {current && <ThisSession />}
      </>
    ),
  },
  end(context),
]
