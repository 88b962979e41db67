import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { access } from '#components/base/screens/access'
import { AppLink } from '#components/base/screens/app-link'
import { useIsPast } from '#components/base/screens/as-of'
import { useMay } from '#components/base/session/session'
import type { TableColumn } from '#components/table/table-columns'
import { userCountsQuery } from '#lib/people/identity/users.queries'

type RoleOrEnterprise = { id: number; name: string }

/** The column with the number of users of each role or enterprise. Callers who may not see users get none. */
export function useUsersColumn(
  of: 'role' | 'enterprise',
  rows: readonly RoleOrEnterprise[] = [],
  usersOf: (id: number) => string,
): TableColumn<RoleOrEnterprise>[] {
  const label = useTranslations('labels')
  const format = useFormatter()
  const isPast = useIsPast()
  const maySeeUsers = useMay(...access.users) && !isPast
  const ids = rows.map(({ id }) => id)
  const { data } = useQuery({ ...userCountsQuery(of, ids), enabled: maySeeUsers && ids.length > 0 })
  if (!maySeeUsers) return []
  const counts = new Map(data?.collection.map(({ id, users }) => [id, users]))
  const cell = ({ id, name }: RoleOrEnterprise) => {
    const count = counts.get(id)
    return (
      count !== undefined && (
        <AppLink to={usersOf(id)} label={label('usersOf', { count, name })}>
          {format.number(count)}
        </AppLink>
      )
    )
  }
  return [{ id: 'users', isNumber: true, cell }]
}
