import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import Spinner from '@cloudscape-design/components/spinner'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import { idIn, useId } from '#components/forms/ids'
import { Page } from '#components/layout/page'
import { paths } from '#components/paths'
import { useMay, useSession } from '#components/session/session'
import { readers } from '#lib/auth/readers'
import { type Tagged, useFresh } from '#lib/client/resources.queries'
import { enterpriseQuery } from '#lib/identity/enterprises.queries'
import type { UserDocument } from '#lib/identity/identity.schema'
import { userQuery } from '#lib/identity/users.queries'
import { useUserRefusals } from './use-user-refusals'
import { draftOfUser, emptyUser } from './user-draft'
import { UserForm } from './user-form'

const readable = 800

export function Component() {
  const enterprise = useId('enterprise')
  const user = useId('user')
  return user === 0 ? <NewUser /> : <EditUser key={user} enterprise={enterprise} user={user} />
}

/** A new user is of the enterprise that the address names, or of the own one. */
function NewUser() {
  const say = useTranslations('users')
  const [search] = useSearchParams()
  const { enterprise: own, locale } = useSession()
  const mayReadEnterprises = useMay(...readers.enterprise)
  const asked = idIn(search, 'enterprise')
  const isOther = asked !== undefined && asked !== own.id && mayReadEnterprises
  const other = useQuery({ ...enterpriseQuery(asked ?? 0), enabled: isOther })
  const enterprise = isOther ? other.data?.document : own
  return (
    <Page
      title={say('form.create')}
      breadcrumbs={[{ text: say('list.title'), href: paths.users() }]}
      maxContentWidth={readable}
    >
      {enterprise ? (
        <UserForm first={emptyUser({ id: enterprise.id, name: enterprise.name }, locale)} />
      ) : (
        <Waiting error={other.error} retry={() => void other.refetch()} />
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
      {read.data ? (
        <Changeable current={read.data} refresh={read.refetch} />
      ) : (
        <Waiting error={read.error} retry={() => void read.refetch()} />
      )}
    </Page>
  )
}

type ChangeableProps = { current: Tagged<UserDocument>; refresh: () => Promise<unknown> }

function Changeable({ current, refresh }: ChangeableProps) {
  const say = useTranslations('users.form')
  const sayCommon = useTranslations('common')
  const { change: refusal } = useUserRefusals(current.document)
  if (!refusal) return <UserForm first={draftOfUser(current.document)} current={current} refresh={refresh} />
  return (
    <Alert type="info" header={say('stop')} i18nStrings={{ infoIconAriaLabel: sayCommon('infoIcon') }}>
      {refusal}
    </Alert>
  )
}

const Waiting = ({ error, retry }: { error: Error | null; retry: () => void }) => (
  <Container>{error ? <Failure error={error} retry={retry} /> : <Spinner size="large" />}</Container>
)
