import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Conflict } from '#components/base/forms/conflict'
import { Failure, RequestId } from '#components/base/forms/failure'
import { FormActions } from '#components/base/forms/form-actions'
import { type FieldErrors, faultsByField } from '#components/base/forms/form-faults'
import { type Newer, NewerNotice } from '#components/base/forms/newer'
import { TextField } from '#components/base/forms/text-field'
import type { Merge } from '#components/base/forms/use-merge'
import { useSession } from '#components/base/session/session'
import { Card } from '#components/frame/layout/card'
import { ApiFailure } from '#lib/client/api'
import type { Call } from '#lib/client/calls'
import type { Named } from '#lib/ground/http/view'
import { EntityPicker } from './entities'
import { ParentField } from './parent-picker'
import { nameFault, type ScopeDraft, type ScopeField, scopeNames } from './scope-draft'
import { isPinned } from './scope-rules'

type ScopeFormProps = {
  /** The scope to change; absent in the form of a new one. */
  scope: Named | undefined
  draft: ScopeDraft
  /** The draft that the form started from. */
  base: ScopeDraft
  busy: boolean
  error: Error | null
  onChange: (changes: Partial<ScopeDraft>) => void
  onSave: () => void
  /** The requests that a save would send now. */
  calls: () => Promise<Call[]>
  onCancel: () => void
  /** Another user has changed the scope. */
  merge: Merge | undefined
  newer: Newer | undefined
}

export function ScopeForm(props: ScopeFormProps) {
  const { scope, draft, base, busy, error, onChange: set, onSave, onCancel, merge, newer } = props
  const say = useTranslations('scopes.form')
  const words = useTranslations('common')
  const forms = useTranslations('forms')
  const label = useTranslations('labels')
  const form = useRef<HTMLFormElement>(null)
  const [submits, setSubmits] = useState(0)
  const refused = faultsByField<ScopeField>(error, draft, scopeNames(draft))
  const wrong = submits > 0 ? nameFault(draft) : undefined
  const faults: FieldErrors<ScopeField> = { ...refused.fields, ...(wrong && { name: say(wrong) }) }

  // Moves the focus to the first fault, once the fault is shown.
  useEffect(() => {
    if (submits > 0 || error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submits, error])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmits(submits + 1)
    if (!nameFault(draft)) onSave()
  }

  return (
    <form ref={form} onSubmit={submit}>
      <SpaceBetween size="l">
        {merge && <Conflict merge={merge} />}
        {newer && <NewerNotice newer={newer} />}
        <NameAndParent scope={scope} draft={draft} faults={faults} onChange={set} />
        <Reach draft={draft} base={base} faults={faults} onChange={set} />
        {!merge && <SaveProblem error={error} rest={refused.rest} />}
      </SpaceBetween>
      <FormActions calls={props.calls}>
        <Button variant="link" formAction="none" onClick={onCancel}>
          {words('cancel')}
        </Button>
        <Button
          variant="primary"
          loading={busy}
          loadingText={say('saving')}
          disabled={merge?.isDecided === false}
          disabledReason={forms('decideFirst')}
        >
          {scope ? words('save') : label('createScope')}
        </Button>
      </FormActions>
    </form>
  )
}

type PartProps = {
  draft: ScopeDraft
  faults: FieldErrors<ScopeField>
  onChange: (change: Partial<ScopeDraft>) => void
}

function NameAndParent({ scope, draft, faults, onChange }: PartProps & Pick<ScopeFormProps, 'scope'>) {
  const label = useTranslations('labels')
  return (
    <Card title={label('scope')}>
      <SpaceBetween size="l">
        <TextField
          label={label('name')}
          constraintText={label('uniqueName')}
          value={draft.name}
          error={faults.name}
          ariaRequired
          onChange={(name) => onChange({ name })}
        />
        <ParentField
          scope={scope}
          parent={draft.parent}
          refusal={useParentRefusal(scope, draft)}
          error={faults.parent}
          onChange={(parent) => onChange({ parent })}
        />
      </SpaceBetween>
    </Card>
  )
}

function useParentRefusal(scope: Named | undefined, draft: ScopeDraft): string | undefined {
  const say = useTranslations('scopes.rules')
  const own = useSession().scope
  if (draft.allDatacenters || draft.allEnterprises) return say('unlimitedMove')
  return scope && isPinned(scope, own) ? say('ownMove') : undefined
}

type ReachProps = PartProps & Pick<ScopeFormProps, 'base'>

function Reach({ draft, base, faults, onChange }: ReachProps) {
  const say = useTranslations('scopes.form')
  return (
    <Card title={say('reach')} description={say('reachAbout')}>
      <SpaceBetween size="l">
        <UnlimitedToggles draft={draft} base={base} faults={faults} onChange={onChange} />
        <EntityPicker
          type="ENTERPRISE"
          ids={draft.enterprises}
          unlimited={draft.allEnterprises}
          error={faults.enterprises}
          onChange={(enterprises) => onChange({ enterprises })}
        />
        <EntityPicker
          type="DATACENTER"
          ids={draft.datacenters}
          unlimited={draft.allDatacenters}
          error={faults.datacenters}
          onChange={(datacenters) => onChange({ datacenters })}
        />
      </SpaceBetween>
    </Card>
  )
}

/** Makes a scope unlimited. Users can only grant what their own scope has; a scope that was unlimited may stay so. */
function UnlimitedToggles({ draft, base, faults, onChange }: ReachProps) {
  const say = useTranslations('scopes')
  const own = useSession().scope
  const kinds = [
    { field: 'allEnterprises', mark: 'enterprises', kind: 'ENTERPRISE' },
    { field: 'allDatacenters', mark: 'datacenters', kind: 'DATACENTER' },
  ] as const
  const [mayEnterprises, mayDatacenters] = kinds.map(({ field }) => own[field] || base[field])
  const refusal =
    mayEnterprises && mayDatacenters
      ? undefined
      : mayEnterprises
        ? 'limitedInDatacenters'
        : mayDatacenters
          ? 'limitedInEnterprises'
          : 'limitedInBoth'
  return (
    <FormField
      label={say('form.unlimited')}
      description={refusal && say(`rules.${refusal}`)}
      errorText={faults.unlimited}
      stretch
    >
      <SpaceBetween size="xs">
        {kinds.map(({ field, mark, kind }) => (
          <Toggle
            key={field}
            checked={draft[field]}
            disabled={!own[field] && !base[field]}
            description={say(`kinds.${kind}.everything`)}
            onChange={({ detail }) => onChange({ [field]: detail.checked })}
          >
            {say(`marks.${mark}`)}
          </Toggle>
        ))}
      </SpaceBetween>
    </FormField>
  )
}

type SaveProblemProps = {
  error: Error | null
  /** The faults that belong to no field. */
  rest: Error | undefined
}

/** Why the form was not saved. */
function SaveProblem({ error, rest }: SaveProblemProps) {
  const say = useTranslations('scopes.form')
  if (!error) return null
  if (rest) return <Failure error={rest} />
  return (
    <Alert type="error" header={say('notSaved')}>
      {say('lookAtFields')}
      <RequestId id={error instanceof ApiFailure ? error.requestId : undefined} />
    </Alert>
  )
}
