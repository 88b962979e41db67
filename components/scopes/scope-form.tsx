import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Form from '@cloudscape-design/components/form'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type FieldErrors, faultsByField } from '#components/forms/form-faults'
import { useSession } from '#components/session/session'
import type { ScopeName } from '#lib/scopes/scopes.queries'
import { EntityPicker } from './entity-picker'
import { ParentField } from './parent-field'
import { SaveProblem } from './save-problem'
import { fieldOf, nameFault, type ScopeDraft, type ScopeField } from './scope-draft'
import { isPinned } from './scope-rules'
import { UnlimitedToggles } from './unlimited-toggles'

type ScopeFormProps = {
  /** The scope being edited; a new one is not there yet. */
  scope: ScopeName | undefined
  draft: ScopeDraft
  /** What the scope was before. */
  base: ScopeDraft
  busy: boolean
  error: Error | null
  onChange: (draft: ScopeDraft) => void
  onSave: () => void
  onCancel: () => void
  /** After somebody else changed the scope: takes their version, keeps what was typed. */
  onReload: () => void
}

export function ScopeForm(props: ScopeFormProps) {
  const { scope, draft, base, busy, error, onChange, onSave, onCancel, onReload } = props
  const say = useTranslations('scopes.form')
  const words = useTranslations('common')
  const form = useRef<HTMLFormElement>(null)
  const [tries, setTries] = useState(0)
  const refused = faultsByField<ScopeField>(error, fieldOf)
  const wrong = tries > 0 ? nameFault(draft) : undefined
  const faults: FieldErrors<ScopeField> = { ...refused.fields, ...(wrong && { name: say(wrong) }) }
  const set = (change: Partial<ScopeDraft>) => onChange({ ...draft, ...change })

  // To the first fault, once it is shown.
  useEffect(() => {
    if (tries > 0 || error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries, error])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTries(tries + 1)
    if (!nameFault(draft)) onSave()
  }

  return (
    <form ref={form} onSubmit={submit}>
      <Form
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" formAction="none" onClick={onCancel}>
              {words('cancel')}
            </Button>
            <Button variant="primary" loading={busy} loadingText={say('saving')}>
              {scope ? words('save') : say('create')}
            </Button>
          </SpaceBetween>
        }
      >
        <SpaceBetween size="l">
          <Place scope={scope} draft={draft} faults={faults} onChange={set} />
          <Reach draft={draft} base={base} faults={faults} onChange={set} />
          <SaveProblem error={error} rest={refused.rest} onReload={onReload} />
        </SpaceBetween>
      </Form>
    </form>
  )
}

type PartProps = {
  draft: ScopeDraft
  faults: FieldErrors<ScopeField>
  onChange: (change: Partial<ScopeDraft>) => void
}

/** What the scope is called, and where it stands. */
function Place({ scope, draft, faults, onChange }: PartProps & Pick<ScopeFormProps, 'scope'>): ReactNode {
  const say = useTranslations('scopes.form')
  return (
    <Container header={<Header variant="h2">{say('scope')}</Header>}>
      <SpaceBetween size="l">
        <FormField label={say('name')} constraintText={say('nameRule')} errorText={faults.name} stretch>
          <Input
            value={draft.name}
            ariaRequired
            onChange={({ detail }) => onChange({ name: detail.value })}
          />
        </FormField>
        <ParentField
          scope={scope}
          parent={draft.parent}
          refusal={useParentRefusal(scope, draft)}
          error={faults.parent}
          onChange={(parent) => onChange({ parent })}
        />
      </SpaceBetween>
    </Container>
  )
}

function useParentRefusal(scope: ScopeName | undefined, draft: ScopeDraft): string | undefined {
  const say = useTranslations('scopes.rules')
  const own = useSession().scope
  if (draft.allDatacenters || draft.allEnterprises) return say('unlimitedMove')
  return scope && isPinned(scope, own) ? say('ownMove') : undefined
}

/** What its users see. */
function Reach({ draft, base, faults, onChange }: PartProps & Pick<ScopeFormProps, 'base'>): ReactNode {
  const say = useTranslations('scopes.form')
  return (
    <Container
      header={
        <Header variant="h2" description={say('reachAbout')}>
          {say('reach')}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <UnlimitedToggles draft={draft} base={base} error={faults.unlimited} onChange={onChange} />
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
    </Container>
  )
}
