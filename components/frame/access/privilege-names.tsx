import { useTranslations } from 'use-intl'
import { isPrivilege } from '#lib/caller/auth/privileges'

/** Privileges by their names in the user's language and in the API. */
export function PrivilegeNames({ names }: { names: readonly string[] }) {
  const say = useTranslations('roles.privileges')
  if (names.length === 0) return null
  return (
    <ul>
      {names.map((name) => (
        <li key={name}>
          {isPrivilege(name) && say(name)} <code>{name}</code>
        </li>
      ))}
    </ul>
  )
}
