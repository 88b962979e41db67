import { useTranslations } from 'use-intl'
import { Waiting } from '#components/forms/failure'
import { useId } from '#components/forms/ids'
import { Page } from '#components/layout/page'
import { paths } from '#components/screens/paths'
import { useFresh } from '#lib/client/resources.queries'
import { enterpriseQuery } from '#lib/identity/enterprises.queries'
import { EnterpriseForm } from './enterprise-form'

const readable = 800

export function Component() {
  const id = useId('enterprise')
  return id === 0 ? <NewEnterprise /> : <EditEnterprise key={id} id={id} />
}

function NewEnterprise() {
  const say = useTranslations('enterprises')
  return (
    <Page
      title={say('form.create')}
      breadcrumbs={[{ text: say('list.title'), href: paths.enterprises() }]}
      maxContentWidth={readable}
    >
      <EnterpriseForm />
    </Page>
  )
}

function EditEnterprise({ id }: { id: number }) {
  const say = useTranslations('enterprises')
  const read = useFresh(enterpriseQuery(id))
  const name = read.data?.document.name ?? say('page.unknown', { id: String(id) })
  return (
    <Page
      title={say('form.edit', { enterprise: name })}
      breadcrumbs={[
        { text: say('list.title'), href: paths.enterprises() },
        { text: name, href: paths.enterprise(id) },
      ]}
      maxContentWidth={readable}
    >
      {read.data ? <EnterpriseForm read={read} /> : <Waiting read={read} boxed />}
    </Page>
  )
}
