import Box from '@cloudscape-design/components/box'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useFormatter, useTranslations } from 'use-intl'
import { allGroups, privilegeGroups } from '#components/people/roles/privilege-groups'
import { isPrivilege, type Privilege } from '#lib/caller/auth/privileges'
import styles from './applications.module.css'

const onlyReads = (name: Privilege): boolean => /_(ENUMERATE|RETRIEVE_DETAILS)$|_VIEW(_|$)/.test(name)

/** The privileges of a program: in one sentence, and in groups behind it. */
export function PrivilegeList({ names }: { names: readonly string[] }) {
  const say = useTranslations('applications.privileges')
  const sayGroup = useTranslations('roles.groups')
  const nameOf = useTranslations('roles.privileges')
  const granted = names.filter(isPrivilege)
  if (granted.length === 0) return <Box variant="p">{say('none')}</Box>
  const groups = allGroups
    .map((group) => ({
      group,
      inGroup: privilegeGroups[group].filter((name: Privilege) => granted.includes(name)),
    }))
    .filter(({ inGroup }) => inGroup.length > 0)
  return (
    <SpaceBetween size="s">
      <Box variant="p">
        <Sentence groups={groups} />
      </Box>
      <ExpandableSection headerText={say('all', { count: granted.length })}>
        <SpaceBetween size="s">
          {groups.map(({ group, inGroup }) => (
            <div key={group}>
              <Box variant="h4">{sayGroup(group)}</Box>
              <ul className={styles.privileges}>
                {inGroup.map((name) => (
                  <li key={name}>
                    {nameOf(name)}{' '}
                    <Box variant="code" color="text-body-secondary" fontSize="body-s">
                      {name}
                    </Box>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </SpaceBetween>
      </ExpandableSection>
    </SpaceBetween>
  )
}

type Group = { group: (typeof allGroups)[number]; inGroup: readonly Privilege[] }

function Sentence({ groups }: { groups: readonly Group[] }) {
  const say = useTranslations('applications.privileges')
  const sayGroup = useTranslations('roles.groups')
  const format = useFormatter()
  const listed = (some: readonly Group[]) => format.list(some.map(({ group }) => `“${sayGroup(group)}”`))
  const read = groups.filter(({ inGroup }) => inGroup.every(onlyReads))
  const changed = groups.filter((group) => !read.includes(group))
  const kind = changed.length === 0 ? 'reads' : read.length === 0 ? 'changes' : 'both'
  return say(kind, { read: listed(read), changed: listed(changed) })
}
