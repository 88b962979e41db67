import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Conflict } from '#components/base/forms/conflict'
import { Failure, RequestId } from '#components/base/forms/failure'
import { FormActions } from '#components/base/forms/form-actions'
import { type FieldErrors, faultsByField } from '#components/base/forms/form-faults'
import { type Newer, NewerNotice } from '#components/base/forms/newer'
import type { Merge } from '#components/base/forms/use-merge'
import { useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Field, TextField } from '#components/kit/field'
import { Card, Stack } from '#components/kit/layout'
import { Notice } from '#components/kit/notice'
import { Switch } from '#components/kit/switch'
import { Tool } from '#components/kit/tool'
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
    <form ref={form} noValidate onSubmit={submit}>
      <Stack gap="l">
        {merge && <Conflict merge={merge} />}
        {newer && <NewerNotice newer={newer} />}
        <NameAndParent scope={scope} draft={draft} faults={faults} onChange={set} />
        <Reach draft={draft} base={base} faults={faults} onChange={set} />
        {!merge && <SaveProblem error={error} rest={refused.rest} />}
      </Stack>
      <FormActions calls={props.calls}>
        <Button look="quiet" onPress={onCancel}>
          {words('cancel')}
        </Button>
        <Tool
          look="main"
          refused={merge?.isDecided === false ? forms('decideFirst') : undefined}
          busy={busy}
          busyText={say('saving')}
          type="submit"
        >
          {scope ? words('save') : label('createScope')}
        </Tool>
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
      <Stack gap="l">
        <TextField
          label={label('name')}
          hint={label('uniqueName')}
          value={draft.name}
          error={faults.name}
          required
          onChange={(name) => onChange({ name })}
        />
        <ParentField
          scope={scope}
          parent={draft.parent}
          refusal={useParentRefusal(scope, draft)}
          error={faults.parent}
          onChange={(parent) => onChange({ parent })}
        />
      </Stack>
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
    <Card title={say('reach')} about={say('reachAbout')}>
      <Stack gap="l">
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
      </Stack>
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
    <Field
      role="group"
      label={say('form.unlimited')}
      hint={refusal && say(`rules.${refusal}`)}
      error={faults.unlimited}
    >
      {() => (
        <Stack gap="s">
          {kinds.map(({ field, mark, kind }) => (
            <Switch
              key={field}
              on={draft[field]}
              disabled={!own[field] && !base[field]}
              about={say(`kinds.${kind}.everything`)}
              onChange={(isOn) => onChange({ [field]: isOn })}
            >
              {say(`marks.${mark}`)}
            </Switch>
          ))}
        </Stack>
      )}
    </Field>
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
    <Notice kind="bad" title={say('notSaved')}>
      {say('lookAtFields')}
      <RequestId id={error instanceof ApiFailure ? error.requestId : undefined} />
    </Notice>
  )
}
