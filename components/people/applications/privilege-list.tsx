import { useFormatter, useTranslations } from 'use-intl'
import { Disclosure } from '#components/kit/disclosure'
import { Stack } from '#components/kit/layout'
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
  if (granted.length === 0) return <p>{say('none')}</p>
  const groups = allGroups
    .map((group) => ({
      group,
      inGroup: privilegeGroups[group].filter((name: Privilege) => granted.includes(name)),
    }))
    .filter(({ inGroup }) => inGroup.length > 0)
  return (
    <Stack>
      <p>
        <Sentence groups={groups} />
      </p>
      <Disclosure title={say('all', { count: granted.length })}>
        <Stack>
          {groups.map(({ group, inGroup }) => (
            <div key={group}>
              <h4>{sayGroup(group)}</h4>
              <ul className={styles.privileges}>
                {inGroup.map((name) => (
                  <li key={name}>
                    {nameOf(name)} <code className="quiet">{name}</code>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </Stack>
      </Disclosure>
    </Stack>
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
