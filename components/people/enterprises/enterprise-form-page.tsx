import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { type AboutProps, resourceForm } from '#components/base/forms/declared-form'
import { textLine, toggle } from '#components/base/forms/field-kinds'
import { useId } from '#components/base/forms/ids'
import { noteFields } from '#components/base/forms/note-fields'
import { linkField } from '#components/base/in-place/link-field'
import { useScopeRefusal } from '#components/base/pickers/named-picker'
import { access } from '#components/base/screens/access'
import { paths } from '#components/base/screens/paths'
import { useMay, useSession } from '#components/base/session/session'
import { FormPage } from '#components/frame/layout/resource-page'
import { enterpriseQuery, useSaveEnterprise } from '#lib/people/identity/enterprises.queries'
import { enterpriseInput } from '#lib/people/identity/identity.schema'
import { usersQuery } from '#lib/people/identity/users.queries'

/** A new enterprise without a scope of its own gets that of the caller. */
const defaultScope = linkField('scope', ({ saved }) => {
  const say = useTranslations('enterprises.form')
  const own = useSession().scope
  return {
    hint: say('scopeHint'),
    none: saved ? undefined : { label: say('ownScope', { scope: own.name }) },
    refusalOf: useScopeRefusal(),
  }
})

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
  ...noteFields,
})

export function Component() {
  const say = useTranslations('enterprises')
  const label = useTranslations('labels')
  const id = useId('enterprise')
  return (
    <FormPage
      of={enterpriseForm}
      id={id}
      query={enterpriseQuery}
      above={[{ text: say('list.title'), href: paths.enterprises() }]}
      create={label('createEnterprise')}
      edit={(enterprise) => say('form.edit', { enterprise })}
      nameOf={(enterprise) => enterprise?.name ?? say('page.unknown', { id: String(id) })}
      href={paths.enterprise}
      save={useSaveEnterprise().mutateAsync}
      done={({ name }) => say('form.saved', { enterprise: name })}
    />
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
