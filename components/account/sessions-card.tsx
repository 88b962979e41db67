import Button from '@cloudscape-design/components/button'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAction } from '#components/forms/use-action'
import { ServerTable } from '#components/table/server-table'
import { useIsNarrow } from '#components/table/table-width'
import { useTableState } from '#components/table/use-table-state'
import { endOwnSession, ownSessionsQuery } from '#lib/auth/own-sessions.queries'
import type { SessionItem } from '#lib/auth/session.schema'
import { ApiFailure } from '#lib/client/api'
import { deviceName } from './device'
import { EndOthersDialog } from './end-others-dialog'
import { narrowSessionColumns, sessionColumns } from './session-columns'

/** Where one is signed in, and the way to end it there. */
export function SessionsCard() {
  const say = useTranslations('account.sessions')
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
        title={say('title')}
        description={say('about')}
        table={table}
        list={list}
        columns={columns({ say, now: new Date(list.dataUpdatedAt), ending, onEnd: end })}
        actions={<Button onClick={() => setAsksForAll(true)}>{say('endOthers')}</Button>}
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
