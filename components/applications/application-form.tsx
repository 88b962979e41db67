import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Form from '@cloudscape-design/components/form'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Failure } from '#components/forms/failure'
import type { FieldErrors } from '#components/forms/form-faults'
import { useFollow } from '#components/layout/app-link'
import { paths } from '#components/paths'
import type { ApplicationDraft, ApplicationField } from './application-draft'
import { PrivilegePicker } from './privilege-picker'

type ApplicationFormProps = {
  draft: ApplicationDraft
  errors: FieldErrors<ApplicationField>
  /** What was refused and belongs to no field. */
  failure: Error | undefined
  /** How often it was tried to send it. */
  tries: number
  isSaving: boolean
  onChange: (changes: Partial<ApplicationDraft>) => void
  onSubmit: (event: FormEvent) => void
}

const i = (inside: ReactNode) => <i>{inside}</i>

export function ApplicationForm(props: ApplicationFormProps) {
  const { draft, errors, failure, tries, isSaving, onChange, onSubmit } = props
  const say = useTranslations('applications.form')
  const sayCommon = useTranslations('common')
  const form = useRef<HTMLFormElement>(null)
  const follow = useFollow()

  // Leads the keyboard to the first field with a fault, once it is shown.
  useEffect(() => {
    if (tries > 0 && !isSaving) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries, isSaving])

  return (
    <form ref={form} onSubmit={onSubmit} noValidate>
      <Form
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" formAction="none" href={paths.account()} onFollow={follow}>
              {sayCommon('cancel')}
            </Button>
            <Button variant="primary" loading={isSaving} loadingText={say('registering')}>
              {say('register')}
            </Button>
          </SpaceBetween>
        }
      >
        <Container>
          <SpaceBetween size="l">
            <FormField label={say('name')} description={say('nameHint')} errorText={errors.name} stretch>
              <Input
                autoFocus
                ariaRequired
                autoComplete={false}
                value={draft.name}
                onChange={({ detail }) => onChange({ name: detail.value })}
              />
            </FormField>
            <FormField
              label={say.rich('description', { i })}
              description={say('descriptionHint')}
              errorText={errors.description}
              stretch
            >
              <Input
                value={draft.description}
                onChange={({ detail }) => onChange({ description: detail.value })}
              />
            </FormField>
            <FormField
              label={say('reach')}
              description={say('reachHint')}
              errorText={draft.reach === 'all' && errors.privileges}
            >
              <RadioGroup
                value={draft.reach}
                onChange={({ detail }) => onChange({ reach: detail.value === 'some' ? 'some' : 'all' })}
                items={[
                  { value: 'all', label: say('all') },
                  { value: 'some', label: say('some') },
                ]}
              />
            </FormField>
            {draft.reach === 'some' && (
              <FormField label={say('privileges')} errorText={errors.privileges} stretch>
                <PrivilegePicker
                  chosen={draft.privileges}
                  onChange={(privileges) => onChange({ privileges })}
                />
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
                onChange={({ detail }) => onChange({ publicKey: detail.value })}
              />
            </FormField>
            {failure && <Failure error={failure} />}
          </SpaceBetween>
        </Container>
      </Form>
    </form>
  )
}
