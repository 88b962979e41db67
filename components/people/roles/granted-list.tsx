import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Icon from '@cloudscape-design/components/icon'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { useSearchChange } from '#components/base/screens/use-search-change'
import { NoMatch } from '#components/table/table-states'
import type { Privilege } from '#lib/caller/auth/privileges'
import { privilegeGroups } from './privilege-groups'
import { PrivilegeTools, useFound } from './privilege-tools'
import styles from './roles.module.css'

const choices = ['all', 'granted', 'notGranted'] as const

/** The privileges of a role, by subject. The address keeps the search. */
export function GrantedList({ granted }: { granted: readonly Privilege[] }) {
  const say = useTranslations('roles.page')
  const sayGroup = useTranslations('roles.groups')
  const [search] = useSearchParams()
  const change = useSearchChange()
  const text = search.get('find') ?? ''
  const show = choices.find((choice) => choice === search.get('show')) ?? 'all'
  const found = useFound(text, (name) => show === 'all' || granted.includes(name) === (show === 'granted'))
  return (
    <SpaceBetween size="l">
      <PrivilegeTools text={text} onChange={(find) => change({ find }, { replace: true })}>
        <SegmentedControl
          label={say('show')}
          selectedId={show}
          options={choices.map((id) => ({ id, text: say(id) }))}
          onChange={({ detail }) =>
            change({ show: detail.selectedId === 'all' ? '' : detail.selectedId }, { replace: true })
          }
        />
      </PrivilegeTools>
      {found.length === 0 && <NoMatch onClear={() => change({ find: '', show: '' })} />}
      <div className={styles.groups}>
        {found.map(({ group, names }) => {
          const all: readonly Privilege[] = privilegeGroups[group]
          const held = all.filter((name) => granted.includes(name))
          return (
            <Container
              key={group}
              header={
                <Header variant="h3" counter={`(${held.length}/${all.length})`}>
                  {sayGroup(group)}
                </Header>
              }
            >
              <ul className={styles.privileges}>
                {names.map((name) => (
                  <Granted key={name} name={name} isGranted={granted.includes(name)} />
                ))}
              </ul>
            </Container>
          )
        })}
      </div>
    </SpaceBetween>
  )
}

function Granted({ name, isGranted }: { name: Privilege; isGranted: boolean }) {
  const say = useTranslations('roles.compare')
  const nameOf = useTranslations('roles.privileges')
  const explain = useTranslations('roles.explanations')
  return (
    <li className={styles.granted}>
      <Icon
        name={isGranted ? 'status-positive' : 'status-stopped'}
        variant={isGranted ? 'success' : 'subtle'}
        ariaLabel={say(isGranted ? 'yes' : 'no')}
      />
      <div>
        <Box fontWeight={isGranted ? 'bold' : 'normal'} color={isGranted ? 'inherit' : 'text-body-secondary'}>
          {nameOf(name)}
        </Box>
        <Box color="text-body-secondary" fontSize="body-s">
          <Box variant="code" color="inherit" fontSize="body-s">
            {name}
          </Box>
          <br />
          {explain(name)}
        </Box>
      </div>
    </li>
  )
}
