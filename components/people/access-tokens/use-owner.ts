import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { useId } from '#components/base/forms/ids'
import { access } from '#components/base/screens/access'
import { paths } from '#components/base/screens/paths'
import { useMay, useSession } from '#components/base/session/session'
import { isPrivilege, type Privilege } from '#lib/caller/auth/privileges'
import { namedBy } from '#lib/ground/http/view'
import { rolePrivilegesQuery } from '#lib/people/identity/roles.queries'
import { userQuery } from '#lib/people/identity/users.queries'

/** The user of the address, or the caller on the screens of My account. */
export function useOwner() {
  const isOwn = useParams().user === undefined
  const session = useSession()
  const user = useId('user')
  const enterprise = useId('enterprise')
  const read = useQuery({ ...userQuery(enterprise, user), enabled: !isOwn })
  return {
    owner: isOwn ? { id: session.id, enterprise: session.enterprise.id } : { id: user, enterprise },
    isOwn,
    nick: isOwn ? session.nick : (read.data?.document.nick ?? String(user)),
    back: isOwn ? paths.account() : paths.user(enterprise, user, 'tokens'),
    /** Undefined on the screens of My account. */
    user: read.data?.document,
    read,
  }
}

type Owner = ReturnType<typeof useOwner>

/** The privileges that a token of the owner may have, if the caller may know them: the API decides. Undefined while loading. */
export function useGrantable({
  isOwn,
  user,
}: Pick<Owner, 'isOwn' | 'user'>): readonly Privilege[] | undefined {
  const { privileges: own } = useSession()
  const mayRead = useMay(...access.roles)
  const role = user && namedBy(user, 'role')?.id
  const read = useQuery({ ...rolePrivilegesQuery(role ?? 0), enabled: mayRead && role !== undefined })
  if (isOwn || !mayRead) return own
  return read.data?.flatMap(({ name }) => (isPrivilege(name) ? [name] : []))
}

/** The way to the screens of a token. */
export function useCrumbs({ isOwn, nick, back }: Pick<Owner, 'isOwn' | 'nick' | 'back'>) {
  const sayAccount = useTranslations('account')
  const sayUsers = useTranslations('users.list')
  if (isOwn) return [{ text: sayAccount('title'), href: back }]
  return [
    { text: sayUsers('title'), href: paths.users() },
    { text: nick, href: back },
  ]
}
