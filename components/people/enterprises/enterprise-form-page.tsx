import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import {
  type AboutProps,
  DeclaredFields,
  type FieldKind,
  resourceForm,
  useDeclaredForm,
} from '#components/base/forms/declared-form'
import { linked, textLine, toggle } from '#components/base/forms/field-kinds'
import { useId } from '#components/base/forms/ids'
import { ResourceForm } from '#components/base/forms/resource-form'
import type { Read } from '#components/base/forms/use-resource-form'
import { RequiredPrivilege } from '#components/base/forms/why'
import { CreatingScope } from '#components/base/in-place/named-dialogs'
import { NamedField, useScopeRefusal } from '#components/base/pickers/named-picker'
import { access } from '#components/base/screens/access'
import { paths } from '#components/base/screens/paths'
import { useMay, useMayPick, useSession } from '#components/base/session/session'
import { ResourcePage } from '#components/frame/layout/resource-page'
import { Card } from '#components/kit/layout'
import type { Named } from '#lib/ground/http/view'
import { enterpriseQuery, useSaveEnterprise } from '#lib/people/identity/enterprises.queries'
import { type EnterpriseDocument, enterpriseInput } from '#lib/people/identity/identity.schema'
import { usersQuery } from '#lib/people/identity/users.queries'

/** A new enterprise without a scope of its own gets that of the caller. */
const defaultScope: FieldKind<Named | undefined, number | undefined> = {
  ...linked,
  Input: ({ form: { saved }, required: _, autoFocus: __, hint: ___, ...field }) => {
    const say = useTranslations('enterprises.form')
    const own = useSession().scope
    const mayPick = useMayPick('scope')
    return (
      <NamedField
        {...field}
        kind="scope"
        hint={mayPick ? say('scopeHint') : <RequiredPrivilege privilege="USERS_VIEW_PRIVILEGES" />}
        disabled={!mayPick}
        none={saved ? undefined : { label: say('ownScope', { scope: own.name }) }}
        refusalOf={useScopeRefusal()}
        around={(picker) => (
          <CreatingScope disabled={!mayPick} onMade={field.onChange}>
            {picker}
          </CreatingScope>
        )}
      />
    )
  },
}

const enterpriseForm = resourceForm(enterpriseInput, {
  name: { as: textLine(), label: 'name', hint: 'uniqueName' },
  scope: { as: defaultScope, label: 'defaultScope' },
  twoFactorAuthenticationMandatory: {
    as: toggle({
      name: 'enterprises.form.mandatory',
      on: 'enterprises.form.mandatory',
      off: 'enterprises.form.notMandatory',
    }),
    label: 'twoFactor',
    about: MandatoryAbout,
  },
})

export function Component() {
  const say = useTranslations('enterprises')
  const label = useTranslations('labels')
  const id = useId('enterprise')
  return (
    <ResourcePage
      id={id}
      query={enterpriseQuery}
      above={[{ text: say('list.title'), href: paths.enterprises() }]}
      create={label('createEnterprise')}
      edit={(enterprise) => say('form.edit', { enterprise })}
      nameOf={(enterprise) => enterprise?.name ?? say('page.unknown', { id: String(id) })}
      href={paths.enterprise}
    >
      {(read) => <EnterpriseForm id={id} read={read} />}
    </ResourcePage>
  )
}

function EnterpriseForm({ id, read }: { id: number; read: Read<EnterpriseDocument> | undefined }) {
  const say = useTranslations('enterprises.form')
  const label = useTranslations('labels')
  const navigate = useNavigate()
  const form = useDeclaredForm(enterpriseForm, {
    read,
    save: useSaveEnterprise().mutateAsync,
    done: ({ name }) => say('saved', { enterprise: name }),
    onDone: (saved) => void navigate(paths.enterprise(saved.id)),
  })
  return (
    <ResourceForm
      form={form}
      label={label('createEnterprise')}
      back={read ? paths.enterprise(id) : paths.enterprises()}
    >
      <Card>
        <DeclaredFields of={enterpriseForm} form={form} />
      </Card>
    </ResourceForm>
  )
}

/** What is mandatory, and the number of users who would have to enrol. */
function MandatoryAbout({
  value,
  form: { base, saved },
}: AboutProps<boolean, { twoFactorAuthenticationMandatory: boolean }>) {
  const say = useTranslations('enterprises.form')
  const maySee = useMay(...access.users)
  const isAsked = saved !== undefined && value && !base.twoFactorAuthenticationMandatory
  const without = useQuery({
    ...usersQuery(saved?.id, { twofactor: false, service: false, limit: 1 }),
    enabled: maySee && isAsked,
  })
  return (
    <>
      {say('mandatoryHint')}{' '}
      {isAsked && without.data && say('mandatoryUsers', { count: without.data.totalSize })}
    </>
  )
}
