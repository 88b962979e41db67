import { useQueries } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/base/forms/failure'
import { useNamedList } from '#components/base/pickers/named-picker'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { Card, Stack } from '#components/kit/layout'
import { ManyPicker } from '#components/kit/picker'
import { Switch } from '#components/kit/switch'
import { NothingYet } from '#components/table/table-states'
import { rolePrivilegesQuery, roleQuery } from '#lib/people/identity/roles.queries'
import { type ComparedRole, ComparisonTable } from './comparison-table'
import { namesOf } from './use-role'

/** The most roles that fit side by side. */
export const mostCompared = 6

/** The roles to compare, from the address. */
const comparedIn = (search: URLSearchParams): number[] => {
  const ids = (search.get('roles') ?? '').split(',').filter((text) => /^[1-9]\d{0,14}$/.test(text))
  return [...new Set(ids.map(Number))].slice(0, mostCompared)
}

/** Compares roles side by side. The address holds their ids and whether only differences are shown. */
export function CompareRoles() {
  const say = useTranslations('roles.compare')
  const [search] = useSearchParams()
  const change = useSearchChange()
  const ids = comparedIn(search)
  const onlyDifferences = search.get('differences') === 'true'
  const { roles, error, retry } = useComparedRoles(ids)
  return (
    <Stack gap="l">
      <Card title={say('title')} about={say('about')}>
        <Stack>
          <RolesField roles={roles} onChange={(chosen) => change({ roles: chosen.join() })} />
          <Switch
            on={onlyDifferences}
            disabled={ids.length < 2}
            onChange={(isOn) => change({ differences: isOn ? 'true' : '' })}
          >
            {say('onlyDifferences')}
          </Switch>
        </Stack>
      </Card>
      {error && <Failure error={error} retry={retry} />}
      {ids.length === 0 ? (
        <Card>
          <NothingYet title={say('start')} hint={say('startHint')} />
        </Card>
      ) : (
        <ComparisonTable roles={roles} onlyDifferences={onlyDifferences && ids.length > 1} />
      )}
    </Stack>
  )
}

/** The roles with these ids, with their privileges once loaded. */
function useComparedRoles(ids: readonly number[]) {
  const say = useTranslations('roles.page')
  const documents = useQueries({ queries: ids.map((id) => roleQuery(id)) })
  const privileges = useQueries({ queries: ids.map((id) => rolePrivilegesQuery(id)) })
  const failed = [...documents, ...privileges].filter(({ isError }) => isError)
  const roles: ComparedRole[] = ids.map((id, index) => {
    const granted = privileges[index]?.data
    return {
      id,
      name: documents[index]?.data?.document.name ?? say('unknown', { id: String(id) }),
      granted: granted && namesOf(granted),
    }
  })
  return {
    roles,
    error: failed[0]?.error,
    retry: () => {
      for (const query of failed) void query.refetch()
    },
  }
}

type RolesFieldProps = { roles: readonly ComparedRole[]; onChange: (ids: number[]) => void }

function RolesField({ roles, onChange }: RolesFieldProps) {
  const say = useTranslations('roles.compare')
  const { found, searchProps } = useNamedList('role')
  const isFull = roles.length >= mostCompared
  const chosen = new Set(roles.map(({ id }) => id))
  return (
    <ManyPicker
      {...searchProps}
      label={say('choose')}
      hint={say(isFull ? 'full' : 'chooseHint', { most: mostCompared })}
      chosen={roles}
      options={found.map(({ id, name }) => ({
        id,
        name,
        refused: isFull && !chosen.has(id) ? say('full', { most: mostCompared }) : undefined,
      }))}
      removeLabel={(role) => say('remove', { role })}
      onChange={onChange}
    />
  )
}
