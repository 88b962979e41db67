import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Table from '@cloudscape-design/components/table'
import { useQuery } from '@tanstack/react-query'
import { Failure } from '#components/layout/failure'
import type { SessionDocument } from '#lib/auth/session.schema'
import { signatureFailuresQuery } from '#lib/oauth/applications.queries'
import type { SignatureFailureDocument } from '#lib/oauth/applications.schema'
import { exactTime } from '../account/moments'

/** A timestamp may be off by so many seconds (RFC 5849 §3.3, as this server takes it). */
const TOLERANCE = 300

function Clock({ offset }: { offset: number }) {
  if (Math.abs(offset) < 2) return 'The same'
  const text = `${Math.abs(offset)} s ${offset > 0 ? 'ahead' : 'behind'}`
  return Math.abs(offset) > TOLERANCE ? <StatusIndicator type="error">{text}</StatusIndicator> : text
}

const columns = [
  {
    id: 'failed',
    header: 'When',
    isRowHeader: true,
    width: 180,
    cell: ({ failed }: SignatureFailureDocument) => (
      <time dateTime={failed}>{exactTime(new Date(failed))}</time>
    ),
  },
  {
    id: 'method',
    header: 'Method',
    width: 140,
    cell: ({ signatureMethod }: SignatureFailureDocument) => signatureMethod,
  },
  {
    id: 'clock',
    header: 'Its clock',
    width: 140,
    cell: ({ clockOffset }: SignatureFailureDocument) => <Clock offset={clockOffset} />,
  },
  {
    id: 'base',
    header: 'What the server signed',
    minWidth: 320,
    cell: ({ baseString }: SignatureFailureDocument) => <Box variant="code">{baseString}</Box>,
  },
]

/** Helps the author of the program: the base string of the server, to be compared with the program's own. */
export function SignatureFailures({ owner, id }: { owner: SessionDocument; id: number }) {
  const list = useQuery(signatureFailuresQuery(owner, id))
  if (list.isError) return <Failure error={list.error} retry={() => void list.refetch()} />
  return (
    <Table
      items={list.data?.collection ?? []}
      columnDefinitions={columns}
      loading={list.isPending}
      loadingText="Loading"
      trackBy={({ id: failure }) => String(failure)}
      wrapLines
      ariaLabels={{ tableLabel: 'Refused signatures' }}
      empty={
        <Box textAlign="center" color="inherit">
          No signature of it was refused in the last hour.
        </Box>
      }
      header={
        <Header
          variant="h2"
          description="Requests of the last hour whose signature was wrong, for you alone. Compare the base string with the one that the program makes."
          actions={
            <Button
              iconName="refresh"
              ariaLabel="Look again"
              loading={list.isFetching}
              onClick={() => void list.refetch()}
            />
          }
        >
          Refused signatures
        </Header>
      }
    />
  )
}
