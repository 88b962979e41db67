import Box from '@cloudscape-design/components/box'
import { isPrivilege, privileges } from '#lib/auth/privileges'
import styles from './applications.module.css'

/** Privileges in plain words. */
export const PrivilegeList = ({ names }: { names: readonly string[] }) =>
  names.length === 0 ? (
    <Box variant="p">Read your own profile, and nothing else.</Box>
  ) : (
    <ul className={styles.privileges}>
      {names.map((name) => (
        <li key={name}>{isPrivilege(name) ? privileges[name] : name}</li>
      ))}
    </ul>
  )
