import Button from '@cloudscape-design/components/button'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureText } from '#components/layout/failure'
import { useFlash } from '#components/layout/flash'
import { ServerTable } from '#components/layout/server-table'
import { useTableState } from '#components/layout/use-table-state'
import { endOwnSession, ownSessionsQuery } from '#lib/auth/own-sessions.queries'
import type { SessionItem } from '#lib/auth/session.schema'
import { ApiFailure } from '#lib/client/api'
import { useIsNarrow } from '../layout/table-width'
import { deviceName } from './device'
import { EndOthersDialog } from './end-others-dialog'
import { narrowSessionColumns, sessionColumns } from './session-columns'

/** Where one is signed in, and the way to end it there. */
export function SessionsCard() {
  const table = useTableState({
    name: 'sessions',
    prefix: 'sessions',
    by: 'lastUse',
    asc: false,
    size: 10,
    orders: ['lastUse'],
  })
  const list = useQuery(ownSessionsQuery(table.query))
  const [asksForAll, setAsksForAll] = useState(false)
  const { end, ending } = useEnd()
  const columns = useIsNarrow() ? narrowSessionColumns : sessionColumns
  return (
    <>
      <ServerTable
        title="Sessions"
        description="Where you are signed in: browsers, and programs that use the API in your name. End what you do not know."
        table={table}
        list={list}
        columns={columns({ now: new Date(list.dataUpdatedAt), ending, onEnd: end })}
        actions={<Button onClick={() => setAsksForAll(true)}>End all others</Button>}
        empty={{ title: 'No sessions', hint: 'You are signed in nowhere.' }}
      />
      <EndOthersDialog visible={asksForAll} onClose={() => setAsksForAll(false)} />
    </>
  )
}

function useEnd() {
  const ending = useMutation(endOwnSession())
  const notify = useFlash()
  const end = (session: SessionItem) => {
    const name = `${deviceName(session.userAgent)} at ${session.address}`
    ending.mutate(session, {
      onSuccess: () => notify({ type: 'success', content: `${name} is signed out.` }),
      onError: (error) =>
        error instanceof ApiFailure && error.has('SESSION-0')
          ? notify({ type: 'info', content: `${name} was signed out already.` })
          : notify({
              type: 'error',
              header: `${name} is still signed in`,
              content: <FailureText error={error} />,
            }),
    })
  }
  return { end, ending: ending.isPending ? ending.variables.id : undefined }
}
