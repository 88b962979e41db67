import Badge from '@cloudscape-design/components/badge'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import type { TableColumn } from '#components/layout/table-columns'
import type { SessionItem } from '#lib/auth/session.schema'
import { deviceName } from './device'
import { exactTime, timeAgo } from './moments'

type Column = TableColumn<SessionItem>

type SessionColumns = {
  /** When the list was read. */
  now: Date
  /** The session that is being ended. */
  ending: number | undefined
  onEnd: (session: SessionItem) => void
}

const device: Column = {
  id: 'device',
  header: 'Device',
  isRowHeader: true,
  width: 260,
  cell: (session) => <Device session={session} />,
}

const Device = ({ session }: { session: SessionItem }) => (
  <span title={session.userAgent}>
    {deviceName(session.userAgent)} {session.current && <ThisSession />}
  </span>
)

const ThisSession = () => <Badge color="green">This session</Badge>

const since: Column = {
  id: 'began',
  header: 'Signed in since',
  width: 200,
  cell: ({ began }) => <time dateTime={began}>{exactTime(new Date(began))}</time>,
}

const LastUse = ({ lastUse, now }: { lastUse: string; now: Date }) => (
  <time dateTime={lastUse} title={exactTime(new Date(lastUse))}>
    {timeAgo(new Date(lastUse), now)}
  </time>
)

const end = ({ ending, onEnd }: SessionColumns): Column => ({
  id: 'end',
  header: 'Actions',
  width: 95,
  minWidth: 95,
  cell: (session) =>
    !session.current && (
      <Button
        variant="inline-link"
        ariaLabel={`End ${deviceName(session.userAgent)} at ${session.address}, since ${exactTime(new Date(session.began))}`}
        loading={ending === session.id}
        loadingText="Ending"
        onClick={() => onEnd(session)}
      >
        End
      </Button>
    ),
})

export const sessionColumns = (context: SessionColumns): Column[] => [
  device,
  { id: 'address', header: 'Address', width: 160, cell: ({ address }) => address },
  since,
  {
    id: 'lastUse',
    header: 'Last use',
    by: 'lastUse',
    width: 160,
    cell: ({ lastUse }) => <LastUse lastUse={lastUse} now={context.now} />,
  },
  end(context),
]

/** Where there is no room for columns. */
export const narrowSessionColumns = (context: SessionColumns): Column[] => [
  {
    ...device,
    // Of its own: the table remembers widths by id.
    id: 'place',
    width: 210,
    cell: (session) => (
      <>
        <span title={session.userAgent}>{deviceName(session.userAgent)}</span>
        <Box variant="small" display="block">
          {session.address}, <LastUse lastUse={session.lastUse} now={context.now} />
        </Box>
        {session.current && <ThisSession />}
      </>
    ),
  },
  end(context),
]
