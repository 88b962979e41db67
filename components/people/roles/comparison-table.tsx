import { useTranslations } from 'use-intl'
import { type SimpleColumn, SimpleTable } from '#components/kit/simple-table'
import { Status } from '#components/kit/status'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { allGroups, type PrivilegeGroup, privilegeGroups } from './privilege-groups'

export type ComparedRole = {
  id: number
  name: string
  /** Undefined while loading. */
  granted: readonly Privilege[] | undefined
}

type PrivilegeLine = { id: string; group: PrivilegeGroup; name?: Privilege }

const isDifferent = (name: Privilege, roles: readonly ComparedRole[]): boolean =>
  new Set(roles.map(({ granted }) => granted?.includes(name) ?? false)).size > 1

/** One row for each group, followed by its visible privileges. */
function rowsOf(roles: readonly ComparedRole[], onlyDifferences: boolean): PrivilegeLine[] {
  return allGroups.flatMap((group) => {
    const all: readonly Privilege[] = privilegeGroups[group]
    const names = all.filter((name) => !onlyDifferences || isDifferent(name, roles))
    return names.length === 0
      ? []
      : [{ id: group, group }, ...names.map((name) => ({ id: name, group, name }))]
  })
}

/** Privileges as rows, roles as columns. */
export function ComparisonTable({
  roles,
  onlyDifferences,
}: {
  roles: readonly ComparedRole[]
  onlyDifferences: boolean
}) {
  const say = useTranslations('roles.compare')
  const isLoading = roles.some(({ granted }) => granted === undefined)
  return (
    <SimpleTable
      label={say('table')}
      rows={isLoading ? [] : rowsOf(roles, onlyDifferences)}
      loading={isLoading ? say('loading') : undefined}
      keyOf={({ id }) => id}
      columns={useColumns(roles)}
      empty={say('same')}
      isHigh
    />
  )
}

function useColumns(roles: readonly ComparedRole[]): SimpleColumn<PrivilegeLine>[] {
  const say = useTranslations('roles.compare')
  const nameOf = useTranslations('roles.privileges')
  const sayGroup = useTranslations('roles.groups')
  return [
    {
      id: 'privilege',
      header: say('privilege'),
      isRowHeader: true,
      minWidth: 240,
      cell: ({ group, name }) =>
        name ? (
          <>
            {nameOf(name)}
            <div>
              <code className="quiet">{name}</code>
            </div>
          </>
        ) : (
          <h3>{sayGroup(group)}</h3>
        ),
    },
    ...roles.map(({ id, name: role, granted = [] }) => ({
      id: String(id),
      minWidth: 110,
      header: (
        <>
          {role}
          <div className="small">{say('total', { count: granted.length, total: allPrivileges.length })}</div>
        </>
      ),
      cell: ({ group, name }: PrivilegeLine) => {
        if (name) return <Mark isGranted={granted.includes(name)} />
        const all: readonly Privilege[] = privilegeGroups[group]
        const count = all.filter((one) => granted.includes(one)).length
        return <div className="quiet">{say('total', { count, total: all.length })}</div>
      },
    })),
  ]
}

function Mark({ isGranted }: { isGranted: boolean }) {
  const say = useTranslations('roles.compare')
  return isGranted ? (
    <Status kind="good" signLabel={say('yes')} />
  ) : (
    <span role="img" aria-label={say('no')}>
      –
    </span>
  )
}
