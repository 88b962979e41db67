import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type FieldKind, type InputProps, resourceForm } from '#components/base/forms/declared-form'
import { FormOnPage } from '#components/base/forms/declared-screens'
import { textLine } from '#components/base/forms/field-kinds'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { ManyPicker } from '#components/kit/picker'
import { Radio } from '#components/kit/radio'
import { TextArea } from '#components/kit/text-area'
import type { Privilege } from '#lib/caller/auth/privileges'
import { useOnce } from '#lib/client/once'
import { registerApplication } from '#lib/people/applications/applications.queries'
import { applicationInput } from '#lib/people/applications/applications.schema'

/** undefined: all privileges of the user. */
type Reach = readonly Privilege[] | undefined

/** All privileges are sent as an empty list. */
const reach: FieldKind<Reach, readonly Privilege[]> = {
  Input: ReachInput,
  send: (chosen) => chosen ?? [],
}

const pem: FieldKind<string> = {
  Input: ({ form: _, required: __, autoFocus: ___, ...field }) => (
    <TextArea {...field} rows={5} spellCheck={false} placeholder="-----BEGIN PUBLIC KEY-----" />
  ),
}

export const applicationForm = resourceForm(applicationInput, {
  name: { as: textLine(), label: 'name', hint: 'applications.form.nameHint' },
  description: { as: textLine(), label: 'description', hint: 'applications.form.descriptionHint' },
  privilege: { as: reach, label: 'reach', hint: 'applications.form.reachHint' },
  publicKey: {
    as: pem,
    label: 'applications.form.publicKey',
    hint: 'applications.form.publicKeyHint',
    wrong: 'applications.form.noKey',
  },
})

export function Component() {
  const say = useTranslations('applications.form')
  const label = useTranslations('labels')
  const sayAccount = useTranslations('account')
  const registering = useMutation(registerApplication(useSession(), useOnce()))
  return (
    <Page
      title={label('createApplication')}
      breadcrumbs={[{ text: sayAccount('title'), href: paths.account() }]}
      maxContentWidth={800}
    >
      <FormOnPage
        of={applicationForm}
        label={label('createApplication')}
        busyLabel={say('creating')}
        back={paths.account()}
        leave={{ header: say('leave'), text: say('leaveText') }}
        check={({ privilege }) => (privilege?.length === 0 ? { privilege: say('missing') } : {})}
        save={({ draft }) => registering.mutateAsync(draft)}
        done={({ name }) => say('created', { name })}
        href={({ id }) => paths.application(id)}
        replaces
      />
    </Page>
  )
}

function ReachInput({ hint, error, value, onChange }: InputProps<Reach>) {
  const say = useTranslations('applications.form')
  const label = useTranslations('labels')
  const [chosen, setChosen] = useState<readonly Privilege[]>([])
  const choose = (names: readonly Privilege[]) => {
    setChosen(names)
    onChange(names)
  }
  return (
    <>
      <Radio
        label={label('reach')}
        hint={hint}
        error={!value && error}
        value={value ? 'some' : 'all'}
        choices={[
          { value: 'all', text: say('all') },
          { value: 'some', text: say('some') },
        ]}
        onChange={(which) => onChange(which === 'some' ? chosen : undefined)}
      />
      {value && <PrivilegePicker chosen={value} error={error} onChange={choose} />}
    </>
  )
}

type PrivilegePickerProps = Pick<InputProps<readonly Privilege[]>, 'error' | 'onChange'> & {
  chosen: readonly Privilege[]
}

function PrivilegePicker({ chosen, error, onChange }: PrivilegePickerProps) {
  const say = useTranslations('applications.form')
  const label = useTranslations('labels')
  const nameOf = useTranslations('roles.privileges')
  const { privileges } = useSession()
  const [has, setHas] = useState('')
  const word = has.toLowerCase()
  const options = privileges.map((id) => ({ id, name: nameOf(id), about: id }))
  return (
    <ManyPicker
      label={label('privileges')}
      error={error}
      options={options.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(word))}
      chosen={options.filter(({ id }) => chosen.includes(id))}
      placeholder={say('choose')}
      empty={say('noMatch')}
      removeLabel={(name) => say('remove', { name })}
      onSearch={setHas}
      onChange={(ids) => onChange(privileges.filter((name) => ids.includes(name)))}
    />
  )
}
