import Box from '@cloudscape-design/components/box'
import Header from '@cloudscape-design/components/header'
import Pagination from '@cloudscape-design/components/pagination'
import Table from '@cloudscape-design/components/table'
import TextFilter from '@cloudscape-design/components/text-filter'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { ScreenLink } from '#components/base/session/screen-link'
import { useSettled } from '#lib/client/use-settled'
import { linkOf } from '#lib/ground/http/view'
import { type AskedCall, whoMayQuery } from '#lib/request/access/access.queries'

const PAGE = 10

/** The users who may make the call, with the role and the scope that allow it. */
export function WhoMay({ call }: { call: AskedCall }) {
  const say = useTranslations('access.who')
  const label = useTranslations('labels')
  const [has, setHas] = useState('')
  const [page, setPage] = useState(1)
  const word = useSettled(has.trim(), 300)
  const read = useQuery(
    whoMayQuery(call, { limit: PAGE, startwith: (page - 1) * PAGE, has: word || undefined }),
  )
  if (!read.data) return <Waiting read={read} />
  const { collection, totalSize } = read.data
  return (
    <Table
      variant="embedded"
      header={
        <Header variant="h3" counter={`(${totalSize})`}>
          {say('title')}
        </Header>
      }
      filter={
        <TextFilter
          filteringText={has}
          filteringPlaceholder={say('find')}
          filteringAriaLabel={say('find')}
          onChange={({ detail }) => {
            setHas(detail.filteringText)
            setPage(1)
          }}
        />
      }
      pagination={
        <Pagination
          currentPageIndex={page}
          pagesCount={Math.max(1, Math.ceil(totalSize / PAGE))}
          onChange={({ detail }) => setPage(detail.currentPageIndex)}
        />
      }
      items={collection}
      trackBy="id"
      columnDefinitions={[
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
        { id: 'scope', header: label('scope'), cell: (user) => <ScreenLink link={linkOf(user, 'scope')} /> },
      ]}
      empty={<Box textAlign="center">{say('nobody')}</Box>}
    />
  )
}
