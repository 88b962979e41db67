import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { SinceMark } from '#components/frame/as-of/present'
import { Card, Stack } from '#components/kit/layout'
import { Segments } from '#components/kit/segments'
import { Status } from '#components/kit/status'
import { NoMatch } from '#components/table/table-states'
import type { Privilege } from '#lib/caller/auth/privileges'
import { privilegeGroups } from './privilege-groups'
import { PrivilegeTools, useFound } from './privilege-tools'
import styles from './roles.module.css'

const choices = ['all', 'granted', 'notGranted'] as const

type GrantedListProps = {
  granted: readonly Privilege[]
  /** The privileges that it has now, if those of then are compared. */
  now?: readonly Privilege[] | undefined
}

/** The privileges of a role, by subject. The address keeps the search. */
export function GrantedList({ granted, now = granted }: GrantedListProps) {
  const say = useTranslations('roles.page')
  const sayGroup = useTranslations('roles.groups')
  const [search] = useSearchParams()
  const change = useSearchChange()
  const text = search.get('find') ?? ''
  const show = choices.find((choice) => choice === search.get('show')) ?? 'all'
  const found = useFound(text, (name) => show === 'all' || granted.includes(name) === (show === 'granted'))
  return (
    <Stack gap="l">
      <PrivilegeTools text={text} onChange={(find) => change({ find }, { replace: true })}>
        <Segments
          label={say('show')}
          value={show}
          choices={choices.map((id) => ({ value: id, text: say(id) }))}
          onChange={(chosen) => change({ show: chosen === 'all' ? '' : chosen }, { replace: true })}
        />
      </PrivilegeTools>
      {found.length === 0 && <NoMatch onClear={() => change({ find: '', show: '' })} />}
      <div className={styles.groups}>
        {found.map(({ group, names }) => {
          const all: readonly Privilege[] = privilegeGroups[group]
          const held = all.filter((name) => granted.includes(name))
          return (
            <Card key={group} level={3} title={sayGroup(group)} counter={`(${held.length}/${all.length})`}>
              <ul className={styles.privileges}>
                {names.map((name) => (
                  <Granted
                    key={name}
                    name={name}
                    isGranted={granted.includes(name)}
                    isNow={now.includes(name)}
                  />
                ))}
              </ul>
            </Card>
          )
        })}
      </div>
    </Stack>
  )
}

type GrantedProps = { name: Privilege; isGranted: boolean; isNow: boolean }

function Granted({ name, isGranted, isNow }: GrantedProps) {
  const say = useTranslations('roles.compare')
  const nameOf = useTranslations('roles.privileges')
  const explain = useTranslations('roles.explanations')
  return (
    <li className={styles.granted}>
      <Status kind={isGranted ? 'good' : 'off'} signLabel={say(isGranted ? 'yes' : 'no')} />
      <div>
        <div className={isGranted ? undefined : 'quiet'}>
          {isGranted ? <strong>{nameOf(name)}</strong> : nameOf(name)}{' '}
          {isGranted !== isNow && <SinceMark since={isNow ? 'added' : 'removed'} />}
        </div>
        <small className="quiet">
          <code>{name}</code>
          <br />
          {explain(name)}
        </small>
      </div>
    </li>
  )
}
