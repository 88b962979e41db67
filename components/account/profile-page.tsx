import { useTranslations } from 'use-intl'
import { Waiting } from '#components/forms/failure'
import { Page } from '#components/layout/page'
import { paths } from '#components/screens/paths'
import { useSession } from '#components/session/session'
import { useFresh } from '#lib/client/resources.queries'
import { userQuery } from '#lib/identity/users.queries'
import { ProfileForm } from './profile-form'

export function Component() {
  const say = useTranslations('account')
  const { id, enterprise } = useSession()
  const read = useFresh(userQuery(enterprise.id, id))
  return (
    <Page
      title={say('editProfile.title')}
      description={say('editProfile.about')}
      breadcrumbs={[{ text: say('title'), href: paths.account() }]}
      maxContentWidth={800}
    >
      {read.data ? <ProfileForm current={read.data} read={read} /> : <Waiting read={read} boxed />}
    </Page>
  )
}
