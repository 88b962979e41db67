import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { FilterField } from '#components/kit/filter'
import type { Privilege } from '#lib/caller/auth/privileges'
import { allGroups, fits, type PrivilegeGroup, privilegeGroups } from './privilege-groups'
import styles from './roles.module.css'

type PrivilegeToolsProps = { text: string; onChange: (text: string) => void; children?: ReactNode }

/** The search field for privileges, with further controls beside it. */
export function PrivilegeTools({ text, onChange, children }: PrivilegeToolsProps) {
  const say = useTranslations('roles.matrix')
  return (
    <div className={styles.tools}>
      <FilterField
        label={say('find')}
        clearLabel={say('clearFilter')}
        text={text}
        state={text}
        onFilter={(next) => {
          if (next !== text) onChange(next)
          return next
        }}
      />
      {children}
    </div>
  )
}

/** The groups with their matching privileges. The search covers names in the reader's language and in the API. */
export function useFound(
  text: string,
  isWanted: (name: Privilege) => boolean = () => true,
): { group: PrivilegeGroup; names: Privilege[] }[] {
  const nameOf = useTranslations('roles.privileges')
  const explain = useTranslations('roles.explanations')
  const sayGroup = useTranslations('roles.groups')
  return allGroups
    .map((group) => ({
      group,
      names: [...privilegeGroups[group]].filter(
        (name) => isWanted(name) && fits(text, name, nameOf(name), explain(name), sayGroup(group)),
      ),
    }))
    .filter(({ names }) => names.length > 0)
}
