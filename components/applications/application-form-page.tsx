import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Form from '@cloudscape-design/components/form'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Multiselect from '@cloudscape-design/components/multiselect'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { Navigate } from 'react-router'
import { useFollow } from '#components/layout/app-link'
import { Failure } from '#components/layout/failure'
import { LeaveGuard } from '#components/layout/leave-guard'
import { Page } from '#components/layout/page'
import { useSession } from '#components/layout/session'
import { paths } from '#components/paths'
import { allPrivileges, privileges } from '#lib/auth/privileges'
import { registerApplication } from '#lib/oauth/applications.queries'
import { applicationInput } from '#lib/oauth/applications.schema'
import { faultsByField, fieldNamedIn, issuesByField } from '../datacenters/form-faults'

const fields = ['name', 'description', 'publicKey'] as const
const labels = {
  name: { field: 'name', label: 'The name' },
  description: { field: 'description', label: 'The description' },
  publicKey: { field: 'publicKey', label: 'The public key' },
} as const

const errorIcon = { errorIconAriaLabel: 'Error' }
const idOf = (name: (typeof allPrivileges)[number]): string => String(allPrivileges.indexOf(name) + 1)

export function Component() {
  const session = useSession()
  const follow = useFollow()
  const [draft, setDraft] = useState({ name: '', description: '', publicKey: '' })
  const [reach, setReach] = useState<'all' | 'some'>('all')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [wasSent, setWasSent] = useState(false)
  const save = useMutation(registerApplication(session))
  const parsed = applicationInput.safeParse({ ...draft, name: draft.name.trim() })
  const refused = faultsByField(save.error, (fault) => fieldNamedIn(fault, fields))
  const errors = { ...refused.fields, ...(wasSent && issuesByField(parsed.error, labels)) }
  const lacksChoice = wasSent && reach === 'some' && chosen.length === 0
  const change = (change: Partial<typeof draft>) => setDraft((now) => ({ ...now, ...change }))
  const options = session.privileges.map((name) => ({
    value: idOf(name),
    label: privileges[name],
    description: name,
  }))

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setWasSent(true)
    if (!parsed.success || save.isPending || (reach === 'some' && chosen.length === 0)) return
    save.mutate({ ...draft, name: draft.name.trim(), privileges: reach === 'all' ? [] : chosen.map(Number) })
  }
  const isTouched = () => Object.values(draft).some((text) => text !== '')
  return (
    <Page
      title="Register an application"
      breadcrumbs={[{ text: 'My account', href: paths.account() }]}
      maxContentWidth={800}
    >
      {save.isSuccess ? (
        <Navigate to={paths.application(save.data.id)} replace />
      ) : (
        <LeaveGuard loses={isTouched} header="Leave without registering?">
          What you have typed is lost.
        </LeaveGuard>
      )}
      <form onSubmit={submit} noValidate>
        <Form
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <Button variant="link" formAction="none" href={paths.account()} onFollow={follow}>
                Cancel
              </Button>
              <Button variant="primary" loading={save.isPending} loadingText="Registering">
                Register
              </Button>
            </SpaceBetween>
          }
        >
          <Container>
            <SpaceBetween size="l">
              <FormField
                label="Name"
                description="Users read it when they are asked for their consent."
                errorText={errors.name}
                i18nStrings={errorIcon}
              >
                <Input
                  autoFocus
                  value={draft.name}
                  onChange={({ detail }) => change({ name: detail.value })}
                />
              </FormField>
              <FormField
                label="Description - optional"
                description="What the program does, in a sentence."
                errorText={errors.description}
                i18nStrings={errorIcon}
              >
                <Input
                  value={draft.description}
                  onChange={({ detail }) => change({ description: detail.value })}
                />
              </FormField>
              <FormField label="What it may do" description="Never more than the user who lets it act holds.">
                <RadioGroup
                  value={reach}
                  onChange={({ detail }) => setReach(detail.value === 'some' ? 'some' : 'all')}
                  items={[
                    { value: 'all', label: 'All that I may do' },
                    { value: 'some', label: 'Only these privileges' },
                  ]}
                />
              </FormField>
              {reach === 'some' && (
                <FormField
                  label="Privileges"
                  errorText={lacksChoice ? 'Choose one privilege at least.' : undefined}
                  i18nStrings={errorIcon}
                >
                  <Multiselect
                    options={options}
                    selectedOptions={options.filter(({ value }) => chosen.includes(value))}
                    onChange={({ detail }) =>
                      setChosen(detail.selectedOptions.map(({ value = '' }) => value))
                    }
                    filteringType="auto"
                    placeholder="Choose privileges"
                    deselectAriaLabel={({ label = '' }) => `Take ${label} away`}
                  />
                </FormField>
              )}
              <FormField
                label="Public key - optional"
                description="For signatures with RSA: the PEM of an RSA key of 2048 bits or more. Without one requests are signed with the secret."
                errorText={errors.publicKey}
                i18nStrings={errorIcon}
              >
                <Textarea
                  rows={5}
                  spellcheck={false}
                  placeholder="-----BEGIN PUBLIC KEY-----"
                  value={draft.publicKey}
                  onChange={({ detail }) => change({ publicKey: detail.value })}
                />
              </FormField>
              {refused.rest && <Failure error={refused.rest} />}
            </SpaceBetween>
          </Container>
        </Form>
      </form>
    </Page>
  )
}
