import Box from '@cloudscape-design/components/box'
import { useTranslations } from 'use-intl'
import { isPrivilege } from '#lib/auth/privileges'
import styles from './applications.module.css'

/** Privileges in plain words, each with its name. */
export function PrivilegeList({ names }: { names: readonly string[] }) {
  const say = useTranslations('applications.privileges')
  const nameOf = useTranslations('roles.privileges')
  if (names.length === 0) return <Box variant="p">{say('none')}</Box>
  return (
    <ul className={styles.privileges}>
      {names.map((name) => (
        <li key={name}>
          {isPrivilege(name) && nameOf(name)}{' '}
          <Box variant="code" color="text-body-secondary" fontSize="body-s">
            {name}
          </Box>
        </li>
      ))}
    </ul>
  )
}
