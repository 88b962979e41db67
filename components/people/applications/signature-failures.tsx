import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { ExactTime } from '#components/base/screens/moments'
import { Card } from '#components/kit/layout'
import { screenIcons } from '#components/kit/screen-icons'
import { type SimpleColumn, SimpleTable } from '#components/kit/simple-table'
import { Status } from '#components/kit/status'
import { Tool } from '#components/kit/tool'
import { NothingYet } from '#components/table/table-states'
import type { SessionDocument } from '#lib/caller/auth/session.schema'
import { signatureFailuresQuery } from '#lib/people/applications/applications.queries'
import type { SignatureFailureDocument } from '#lib/people/applications/applications.schema'
import type { Say } from '#lib/words/words'

/** The server accepts timestamps this many seconds off (RFC 5849 §3.3). */
const TOLERANCE = 300

function Clock({ offset }: { offset: number }) {
  const say = useTranslations('applications.refused')
  const seconds = Math.abs(offset)
  if (seconds < 2) return say('clockSame')
  const text = say(offset > 0 ? 'clockAhead' : 'clockBehind', { seconds })
  return seconds > TOLERANCE ? <Status kind="bad">{text}</Status> : text
}

const columnsOf = (say: Say<'applications.refused'>): SimpleColumn<SignatureFailureDocument>[] => [
  {
    id: 'failed',
    header: say('when'),
    isRowHeader: true,
    minWidth: 180,
    cell: ({ failed }) => <ExactTime at={failed} />,
  },
  { id: 'method', header: say('method'), minWidth: 140, cell: ({ signatureMethod }) => signatureMethod },
  {
    id: 'clock',
    header: say('clock'),
    minWidth: 140,
    cell: ({ clockOffset }) => <Clock offset={clockOffset} />,
  },
  {
    id: 'base',
    header: say('baseString'),
    minWidth: 320,
    cell: ({ baseString }) => <code>{baseString}</code>,
  },
]

/** The base strings that the server computed, for the program's author to compare with their own. */
export function SignatureFailures({ owner, id }: { owner: SessionDocument; id: number }) {
  const say = useTranslations('applications.refused')
  const list = useQuery(signatureFailuresQuery(owner, id))
  if (list.isError) return <Failure error={list.error} retry={() => void list.refetch()} />
  return (
    <Card
      title={say('title')}
      level={2}
      about={say('about')}
      actions={
        <Tool
          icon={screenIcons.refresh}
          label={say('again')}
          busy={list.isFetching}
          busyText={say('loading')}
          onPress={() => void list.refetch()}
        />
      }
    >
      <SimpleTable
        label={say('title')}
        rows={list.data?.collection ?? []}
        columns={columnsOf(say)}
        keyOf={({ id: failure }) => failure}
        loading={list.isPending ? say('loading') : undefined}
        empty={<NothingYet title={say('empty')} hint={say('emptyHint')} />}
      />
    </Card>
  )
}
