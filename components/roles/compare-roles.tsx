import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Multiselect from '@cloudscape-design/components/multiselect'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import { usePickerList } from '#components/forms/picker-list'
import { NothingYet } from '#components/table/table-states'
import { namedPickerQuery } from '#lib/client/pickers.queries'
import { rolePrivilegesQuery, roleQuery } from '#lib/identity/roles.queries'
import { type ComparedRole, ComparisonTable } from './comparison-table'
import { namesOf } from './use-role'

/** The most roles that fit side by side. */
export const mostCompared = 6

/** The roles to compare, from the address. */
const comparedIn = (search: URLSearchParams): number[] => {
  const ids = (search.get('roles') ?? '').split(',').filter((text) => /^[1-9]\d{0,14}$/.test(text))
  return [...new Set(ids.map(Number))].slice(0, mostCompared)
}

/** Roles side by side; the address says which, and whether only their differences are shown. */
export function CompareRoles() {
  const say = useTranslations('roles.compare')
  const [search, setSearch] = useSearchParams()
  const ids = comparedIn(search)
  const onlyDifferences = search.get('differences') === 'true'
  const put = (name: string, value: string) =>
    setSearch(
      (now) => {
        const changed = new URLSearchParams(now)
        if (value === '') changed.delete(name)
        else changed.set(name, value)
        return changed
      },
      { preventScrollReset: true },
    )
  const { roles, error, retry } = useComparedRoles(ids)
  return (
    <SpaceBetween size="l">
      <Container
        header={
          <Header variant="h2" description={say('about')}>
            {say('title')}
          </Header>
        }
      >
        <SpaceBetween size="m">
          <RolesField roles={roles} onChange={(chosen) => put('roles', chosen.join(','))} />
          <Toggle
            checked={onlyDifferences}
            disabled={ids.length < 2}
            onChange={({ detail }) => put('differences', detail.checked ? 'true' : '')}
          >
            {say('onlyDifferences')}
          </Toggle>
        </SpaceBetween>
      </Container>
      {error && <Failure error={error} retry={retry} />}
      {ids.length === 0 ? (
        <Container>
          <NothingYet title={say('start')} hint={say('startHint')} />
        </Container>
      ) : (
        <ComparisonTable roles={roles} onlyDifferences={onlyDifferences && ids.length > 1} />
      )}
    </SpaceBetween>
  )
}

/** The roles of these ids, with what they grant as far as it is here. */
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

function RolesField({
  roles,
  onChange,
}: {
  roles: readonly ComparedRole[]
  onChange: (ids: number[]) => void
}) {
  const say = useTranslations('roles.compare')
  const sayPicker = useTranslations('users.picker.role')
  const [has, setHas] = useState<string>()
  const list = useInfiniteQuery({ ...namedPickerQuery('role', has ?? ''), enabled: has !== undefined })
  const words = { loading: sayPicker('loading'), failed: sayPicker('failed') }
  const loaded = usePickerList(list, words, setHas)
  const isFull = roles.length >= mostCompared
  const chosen = new Set(roles.map(({ id }) => id))
  return (
    <FormField
      label={say('choose')}
      constraintText={say(isFull ? 'full' : 'chooseHint', { most: mostCompared })}
      stretch
    >
      <Multiselect
        selectedOptions={roles.map(({ id, name }) => ({
          value: String(id),
          label: name,
        }))}
        options={
          list.data?.pages.flatMap(({ collection }) =>
            collection.map(({ id, name }) => ({
              value: String(id),
              label: name,
              disabled: isFull && !chosen.has(id),
            })),
          ) ?? []
        }
        placeholder={say('placeholder')}
        filteringType="manual"
        filteringPlaceholder={sayPicker('find')}
        filteringAriaLabel={sayPicker('find')}
        {...loaded}
        empty={sayPicker(has ? 'noMatch' : 'nothing')}
        deselectAriaLabel={({ label }) => say('remove', { role: label ?? '' })}
        onChange={({ detail }) => onChange(detail.selectedOptions.map(({ value }) => Number(value)))}
      />
    </FormField>
  )
}
