import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { ScreenLink } from '#components/base/session/screen-link'
import { FilterField } from '#components/kit/filter'
import { Heading, Row, Stack } from '#components/kit/layout'
import { Pager } from '#components/kit/pager'
import { SimpleTable } from '#components/kit/simple-table'
import { linkOf } from '#lib/ground/http/view'
import { type AskedCall, whoMayQuery } from '#lib/request/access/access.queries'

const PAGE = 10

/** The users who may make the call, with the role and the scope that allow it. */
export function WhoMay({ call }: { call: AskedCall }) {
  const say = useTranslations('access.who')
  const label = useTranslations('labels')
  const sayTable = useTranslations('layout.table')
  const [has, setHas] = useState('')
  const [page, setPage] = useState(1)
  const read = useQuery(
    whoMayQuery(call, { limit: PAGE, startwith: (page - 1) * PAGE, has: has || undefined }),
  )
  if (!read.data) return <Waiting read={read} />
  const { collection, totalSize } = read.data
  const last = Math.max(1, Math.ceil(totalSize / PAGE))
  return (
    <Stack gap="s">
      <Heading level={3} counter={`(${totalSize})`}>
        {say('title')}
      </Heading>
      <Row>
        <FilterField
          label={say('find')}
          clearLabel={sayTable('clearText')}
          text={has}
          state={has}
          onFilter={(text) => {
            if (text.trim() !== has) setPage(1)
            setHas(text.trim())
            return text.trim()
          }}
        />
        <Pager
          label={sayTable('pages', { title: say('title') })}
          position={`${page} / ${last}`}
          before={{ label: sayTable('previousPage'), go: page > 1 ? () => setPage(page - 1) : undefined }}
          after={{ label: sayTable('nextPage'), go: page < last ? () => setPage(page + 1) : undefined }}
        />
      </Row>
      <SimpleTable
        label={say('title')}
        rows={collection}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'nick',
            header: label('user'),
            isRowHeader: true,
            cell: (user) => <ScreenLink link={linkOf(user, 'edit')} />,
          },
          {
            id: 'enterprise',
            header: label('enterprise'),
            cell: (user) => <ScreenLink link={linkOf(user, 'enterprise')} />,
          },
          { id: 'role', header: label('role'), cell: (user) => <ScreenLink link={linkOf(user, 'role')} /> },
          {
            id: 'scope',
            header: label('scope'),
            cell: (user) => <ScreenLink link={linkOf(user, 'scope')} />,
          },
        ]}
        empty={say('nobody')}
      />
    </Stack>
  )
}
