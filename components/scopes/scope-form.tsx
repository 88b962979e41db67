import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Form from '@cloudscape-design/components/form'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import { type FormEvent, useState } from 'react'
import { Failure } from '#components/layout/failure'
import { useSession } from '#components/layout/session'
import { ApiFailure, type ApiFault } from '#lib/client/api'
import type { ScopeName } from '#lib/scopes/scopes.queries'
import { EntityPicker } from './entity-picker'
import { ParentField } from './parent-field'
import { checkDraft, type FieldFaults, placeFaults, type ScopeDraft } from './scope-draft'
import { isPinned } from './scope-rules'

type ScopeFormProps = {
  /** The scope being edited; a new one is not there yet. */
  scope: ScopeName | undefined
  draft: ScopeDraft
  /** What the scope was before. */
  base: ScopeDraft
  busy: boolean
  error: Error | null
  onChange: (draft: ScopeDraft) => void
  onSave: () => Promise<void>
  onCancel: () => void
  /** After somebody else changed the scope: takes their version, keeps what was typed. */
  onReload: () => void
}

export function ScopeForm({
  scope,
  draft,
  base,
  busy,
  error,
  onChange,
  onSave,
  onCancel,
  onReload,
}: ScopeFormProps) {
  const [checked, setChecked] = useState(false)
  const placed = placeFaults(error instanceof ApiFailure ? error.faults : [])
  const faults: FieldFaults = { ...placed.fields, ...(checked && checkDraft(draft)) }
  const set = (change: Partial<ScopeDraft>) => onChange({ ...draft, ...change })

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setChecked(true)
    if (Object.keys(checkDraft(draft)).length === 0) await onSave()
    // Once the faults are shown: to the first of them.
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }

  return (
    <form onSubmit={submit}>
      <Form
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" formAction="none" onClick={onCancel}>
              Cancel
            </Button>
            <Button variant="primary" loading={busy} loadingText="Saving">
              {scope ? 'Save' : 'Create scope'}
            </Button>
          </SpaceBetween>
        }
      >
        <SpaceBetween size="l">
          <Container header={<Header variant="h2">Scope</Header>}>
            <SpaceBetween size="l">
              <FormField
                label="Name"
                constraintText="1 to 128 characters, unique."
                errorText={faults.name}
                stretch
              >
                <Input
                  value={draft.name}
                  ariaRequired
                  onChange={({ detail }) => set({ name: detail.value })}
                />
              </FormField>
              <ParentField
                scope={scope}
                parent={draft.parent}
                refusal={useParentRefusal(scope, draft)}
                error={faults.parent}
                onChange={(parent) => set({ parent })}
              />
            </SpaceBetween>
          </Container>
          <Container
            header={
              <Header variant="h2" description="What users of this scope see.">
                Reach
              </Header>
            }
          >
            <SpaceBetween size="l">
              <UnlimitedToggles draft={draft} base={base} error={faults.unlimited} onChange={set} />
              <EntityPicker
                type="ENTERPRISE"
                label="Enterprises"
                ids={draft.enterprises}
                unlimited={draft.allEnterprises}
                error={faults.enterprises}
                onChange={(enterprises) => set({ enterprises })}
              />
              <EntityPicker
                type="DATACENTER"
                label="Datacenters"
                ids={draft.datacenters}
                unlimited={draft.allDatacenters}
                error={faults.datacenters}
                onChange={(datacenters) => set({ datacenters })}
              />
            </SpaceBetween>
          </Container>
          <Problem error={error} rest={placed.rest} onReload={onReload} />
        </SpaceBetween>
      </Form>
    </form>
  )
}

function useParentRefusal(scope: ScopeName | undefined, draft: ScopeDraft): string | undefined {
  const own = useSession().scope
  if (draft.allDatacenters || draft.allEnterprises)
    return 'An unlimited scope cannot have a parent (SCOPE-20).'
  if (scope && isPinned(scope, own)) return 'Your own scope stays where it is: above it you see nothing.'
  return undefined
}

type UnlimitedTogglesProps = {
  draft: ScopeDraft
  base: ScopeDraft
  error: string | undefined
  onChange: (change: Partial<ScopeDraft>) => void
}

function UnlimitedToggles({ draft, base, error, onChange }: UnlimitedTogglesProps) {
  const own = useSession().scope
  const mayEnterprises = own.allEnterprises || base.allEnterprises
  const mayDatacenters = own.allDatacenters || base.allDatacenters
  const closed = [!mayEnterprises && 'enterprises', !mayDatacenters && 'datacenters'].filter(Boolean)
  const refusal =
    closed.length > 0
      ? `Your own scope is limited in ${closed.join(' and ')}, so you cannot make this one unlimited there (SCOPE-21).`
      : undefined
  return (
    <FormField label="Unlimited" description={refusal} errorText={error} stretch>
      <SpaceBetween size="xs">
        <Toggle
          checked={draft.allEnterprises}
          disabled={!mayEnterprises}
          description="All enterprises, those to come too."
          onChange={({ detail }) => onChange({ allEnterprises: detail.checked })}
        >
          Unlimited in enterprises
        </Toggle>
        <Toggle
          checked={draft.allDatacenters}
          disabled={!mayDatacenters}
          description="All datacenters, those to come too."
          onChange={({ detail }) => onChange({ allDatacenters: detail.checked })}
        >
          Unlimited in datacenters
        </Toggle>
      </SpaceBetween>
    </FormField>
  )
}

/** What no field shows: that somebody else was faster, or another fault. */
function Problem({ error, rest, onReload }: { error: Error | null; rest: ApiFault[]; onReload: () => void }) {
  if (!error) return null
  if (!(error instanceof ApiFailure)) return <Failure error={error} />
  if (error.status === 412) {
    return (
      <Alert
        type="warning"
        header="Somebody else changed this scope meanwhile"
        action={
          <Button formAction="none" onClick={onReload}>
            Load their version, keep my changes
          </Button>
        }
        i18nStrings={{ warningIconAriaLabel: 'Warning' }}
      >
        Nothing was saved and nothing that you typed is lost. Load their version, look it over, then save.
      </Alert>
    )
  }
  if (rest.length > 0) {
    return (
      <Failure error={new ApiFailure({ status: error.status, faults: rest, requestId: error.requestId })} />
    )
  }
  return (
    <Alert type="error" header="Not saved" i18nStrings={{ errorIconAriaLabel: 'Error' }}>
      Look at the marked fields. {error.requestId && `Request id ${error.requestId}`}
    </Alert>
  )
}
