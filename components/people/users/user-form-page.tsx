import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { idIn, useId } from '#components/base/forms/ids'
import type { Read } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { useMay, useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { Notice } from '#components/kit/notice'
import { kinds } from '#lib/caller/kinds/kinds'
import { useFresh } from '#lib/client/resources.queries'
import { enterpriseQuery } from '#lib/people/identity/enterprises.queries'
import type { UserDocument } from '#lib/people/identity/identity.schema'
import { userQuery } from '#lib/people/identity/users.queries'
import { useUserRefusals } from './use-user-refusals'
import { draftOfUser, emptyUser } from './user-draft'
import { UserForm } from './user-form'

const readable = 800

export function Component() {
  const enterprise = useId('enterprise')
  const user = useId('user')
  return user === 0 ? <NewUser /> : <EditUser key={user} enterprise={enterprise} user={user} />
}

/** Creates a user in the enterprise of the address, else in the caller's own. */
function NewUser() {
  const say = useTranslations('users')
  const label = useTranslations('labels')
  const [search] = useSearchParams()
  const { enterprise: own, locale } = useSession()
  const mayReadEnterprises = useMay(...kinds.enterprise.readers)
  const chosen = idIn(search, 'enterprise')
  const isOther = chosen !== undefined && chosen !== own.id && mayReadEnterprises
  const other = useQuery({ ...enterpriseQuery(chosen ?? 0), enabled: isOther })
  const enterprise = isOther ? other.data?.document : own
  return (
    <Page
      title={label('createUser')}
      breadcrumbs={[{ text: say('list.title'), href: paths.users() }]}
      maxContentWidth={readable}
    >
      {enterprise ? (
        <UserForm first={emptyUser({ id: enterprise.id, name: enterprise.name }, locale)} />
      ) : (
        <Waiting read={other} boxed />
      )}
    </Page>
  )
}

function EditUser({ enterprise, user }: { enterprise: number; user: number }) {
  const say = useTranslations('users')
  const read = useFresh(userQuery(enterprise, user))
  const nick = read.data?.document.nick ?? say('page.unknown', { id: String(user) })
  return (
    <Page
      title={say('form.edit', { nick })}
      breadcrumbs={[
        { text: say('list.title'), href: paths.users() },
        { text: nick, href: paths.user(enterprise, user) },
      ]}
      maxContentWidth={readable}
    >
      {read.data ? <Changeable user={read.data.document} read={read} /> : <Waiting read={read} boxed />}
    </Page>
  )
}

type ChangeableProps = { user: UserDocument; read: Read<UserDocument> }

function Changeable({ user, read }: ChangeableProps) {
  const say = useTranslations('users.form')
  const { change: refusal } = useUserRefusals(user)
  if (!refusal) return <UserForm first={draftOfUser(user)} read={read} />
  return <Notice title={say('stop')}>{refusal}</Notice>
}
