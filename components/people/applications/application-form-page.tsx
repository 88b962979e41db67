import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Multiselect from '@cloudscape-design/components/multiselect'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { ResourceForm } from '#components/base/forms/resource-form'
import { TextField } from '#components/base/forms/text-field'
import { useResourceForm } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Page } from '#components/frame/layout/page'
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
    <Container>
      <SpaceBetween size="l">
        <TextField
          {...field('name')}
          label={label('name')}
          description={say('nameHint')}
          autoFocus
          ariaRequired
          autoComplete={false}
        />
        <TextField
          {...field('description')}
          label={label.rich('descriptionOptional', { i })}
          description={say('descriptionHint')}
        />
        <FormField
          label={label('reach')}
          description={say('reachHint')}
          errorText={draft.reach === 'all' && errors.privileges}
        >
          <RadioGroup
            value={draft.reach}
            onChange={({ detail }) => change({ reach: detail.value === 'some' ? 'some' : 'all' })}
            items={[
              { value: 'all', label: say('all') },
              { value: 'some', label: say('some') },
            ]}
          />
        </FormField>
        {draft.reach === 'some' && (
          <FormField label={label('privileges')} errorText={errors.privileges} stretch>
            <PrivilegePicker chosen={draft.privileges} onChange={(privileges) => change({ privileges })} />
          </FormField>
        )}
        <FormField
          label={say.rich('publicKey', { i })}
          description={say('publicKeyHint')}
          errorText={errors.publicKey}
          stretch
        >
          <Textarea
            rows={5}
            spellcheck={false}
            placeholder="-----BEGIN PUBLIC KEY-----"
            value={draft.publicKey}
            onChange={({ detail }) => change({ publicKey: detail.value })}
          />
        </FormField>
      </SpaceBetween>
    </Container>
  )
}

type PrivilegePickerProps = {
  chosen: readonly Privilege[]
  onChange: (chosen: readonly Privilege[]) => void
}

function PrivilegePicker({ chosen, onChange }: PrivilegePickerProps) {
  const say = useTranslations('applications.form')
  const nameOf = useTranslations('roles.privileges')
  const { privileges } = useSession()
  const options = privileges.map((value) => ({ value, label: nameOf(value), description: value }))
  return (
    <Multiselect
      options={options}
      selectedOptions={options.filter(({ value }) => chosen.includes(value))}
      onChange={({ detail: { selectedOptions } }) =>
        onChange(privileges.filter((name) => selectedOptions.some(({ value }) => value === name)))
      }
      filteringType="auto"
      filteringPlaceholder={say('find')}
      filteringAriaLabel={say('find')}
      noMatch={say('noMatch')}
      placeholder={say('choose')}
    />
  )
}
