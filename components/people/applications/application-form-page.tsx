import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { ResourceForm } from '#components/base/forms/resource-form'
import { useResourceForm } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
import { TextField } from '#components/kit/field'
import { Card, Stack } from '#components/kit/layout'
import { ManyPicker } from '#components/kit/picker'
import { Radio } from '#components/kit/radio'
import { TextArea } from '#components/kit/text-area'
import type { Privilege } from '#lib/caller/auth/privileges'
import { useOnce } from '#lib/client/once'
import { registerApplication } from '#lib/people/applications/applications.queries'
import type { ApplicationDocument } from '#lib/people/applications/applications.schema'
import {
  type ApplicationDraft,
  type ApplicationField,
  checkApplication,
  emptyApplication,
  sentApplication,
} from './application-draft'

export function Component() {
  const say = useTranslations('applications.form')
  const label = useTranslations('labels')
  const sayAccount = useTranslations('account')
  const form = useApplicationForm()
  return (
    <Page
      title={label('createApplication')}
      breadcrumbs={[{ text: sayAccount('title'), href: paths.account() }]}
      maxContentWidth={800}
    >
      <ResourceForm
        form={form}
        label={label('createApplication')}
        busyLabel={say('creating')}
        back={paths.account()}
        leave={{ header: say('leave'), text: say('leaveText') }}
      >
        <Fields {...form} />
      </ResourceForm>
    </Page>
  )
}

function useApplicationForm() {
  const say = useTranslations('applications.form')
  const sayText = useTranslations('forms.faults')
  const navigate = useNavigate()
  const registering = useMutation(registerApplication(useSession(), useOnce()))
  return useResourceForm<ApplicationDraft, ApplicationDocument, ApplicationField>({
    first: emptyApplication,
    check: (draft) => checkApplication(say, sayText, draft),
    names: () => ({ privilege: 'privileges' }),
    save: ({ draft }) => registering.mutateAsync(sentApplication(draft)),
    done: ({ name }) => say('created', { name }),
    onDone: ({ id }) => void navigate(paths.application(id), { replace: true }),
  })
}

const i = (inside: ReactNode) => <i>{inside}</i>

type FieldsProps = Pick<ReturnType<typeof useApplicationForm>, 'draft' | 'errors' | 'change' | 'field'>

function Fields({ draft, errors, change, field }: FieldsProps) {
  const say = useTranslations('applications.form')
  const label = useTranslations('labels')
  return (
    <Card>
      <Stack gap="l">
        <TextField
          {...field('name')}
          label={label('name')}
          hint={say('nameHint')}
          autoFocus
          required
          autoComplete="off"
        />
        <TextField
          {...field('description')}
          label={label.rich('descriptionOptional', { i })}
          hint={say('descriptionHint')}
        />
        <Radio
          label={label('reach')}
          hint={say('reachHint')}
          error={draft.reach === 'all' && errors.privileges}
          value={draft.reach}
          choices={[
            { value: 'all', text: say('all') },
            { value: 'some', text: say('some') },
          ]}
          onChange={(reach) => change({ reach })}
        />
        {draft.reach === 'some' && (
          <PrivilegePicker
            chosen={draft.privileges}
            error={errors.privileges}
            onChange={(privileges) => change({ privileges })}
          />
        )}
        <TextArea
          {...field('publicKey')}
          label={say.rich('publicKey', { i })}
          hint={say('publicKeyHint')}
          rows={5}
          spellCheck={false}
          placeholder="-----BEGIN PUBLIC KEY-----"
        />
      </Stack>
    </Card>
  )
}

type PrivilegePickerProps = {
  chosen: readonly Privilege[]
  error: ReactNode
  onChange: (chosen: readonly Privilege[]) => void
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
