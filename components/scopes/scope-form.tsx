import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import {
  type DraftOf,
  type FieldKind,
  type InputProps,
  resourceForm,
  sentBy,
} from '#components/base/forms/declared-form'
import { FormOnPage } from '#components/base/forms/declared-screens'
import { linked, textLine } from '#components/base/forms/field-kinds'
import { noteFields } from '#components/base/forms/note-fields'
import type { Read } from '#components/base/forms/use-resource-form'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Field } from '#components/kit/field'
import { Stack } from '#components/kit/layout'
import { Switch } from '#components/kit/switch'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import {
  entitiesOf,
  impactQuery,
  type ScopeBody,
  type SentScope,
  scopeBody,
  useSaveScope,
} from '#lib/caller/scopes/scopes.queries'
import { type ScopeDocument, type ScopeEntityType, scopeInput } from '#lib/caller/scopes/scopes.schema'
import { ApiFailure, type ApiFault } from '#lib/client/api'
import type { Tagged } from '#lib/client/resources.queries'
import type { Named } from '#lib/ground/http/view'
import { EntityPicker, useEntityNames } from './entities'
import { ImpactDialog } from './impact-dialog'
import { ParentField } from './parent-picker'
import { isPinned } from './scope-rules'

type Unlimited = { automaticAddEnterprise: boolean; automaticAddDatacenter: boolean }

const parent: FieldKind<Named | undefined, number | undefined, Unlimited, ScopeDocument> = {
  ...linked,
  Input: ParentInput,
  Text: ({ value }) => {
    const say = useTranslations('scopes.parent')
    return value?.name ?? say('none')
  },
}

const unlimited = (
  type: ScopeEntityType,
  Input: FieldKind<boolean, boolean, Unlimited>['Input'],
): FieldKind<boolean, boolean, Unlimited> => ({
  Input,
  Text: ({ value }) => {
    const say = useTranslations('scopes')
    const none = useTranslations('labels')('none')
    return value ? say(`kinds.${type}.all`) : none
  },
})

/** In the order of their ids: the order of a choice is no change. */
const entities = (type: ScopeEntityType, everything: keyof Unlimited) => {
  const kind: FieldKind<readonly number[], readonly number[], Unlimited> = {
    Input: ({ value, error, form: { draft }, onChange }) => (
      <EntityPicker
        type={type}
        ids={value}
        unlimited={draft[everything]}
        error={error}
        onChange={(ids) => onChange(inOrder(ids))}
      />
    ),
    empty: [],
    read: (scope: ScopeDocument) => inOrder(entitiesOf(scope, type)),
    Members: ({ value }) => <EntityNames type={type} ids={value} />,
  }
  return kind
}

const inOrder = (ids: readonly number[]) => ids.toSorted((one, other) => one - other)

/** The API has one list of entities, the form one field for each kind of them. */
export const scopeForm = resourceForm(scopeInput.omit({ scopeEntities: true }), {
  name: { as: textLine(), label: 'name', hint: 'uniqueName', card: { title: 'scope' } },
  scopeParent: { as: parent, label: 'parentScope' },
  ...noteFields,
  automaticAddEnterprise: {
    as: unlimited('ENTERPRISE', UnlimitedInput),
    label: 'scopes.marks.enterprises',
    card: { title: 'scopes.form.reach', about: 'scopes.form.reachAbout' },
  },
  automaticAddDatacenter: { as: unlimited('DATACENTER', () => null), label: 'scopes.marks.datacenters' },
  enterprises: {
    as: entities('ENTERPRISE', 'automaticAddEnterprise'),
    label: 'scopes.kinds.ENTERPRISE.title',
  },
  datacenters: {
    as: entities('DATACENTER', 'automaticAddDatacenter'),
    label: 'scopes.kinds.DATACENTER.title',
  },
})

type ScopeDraft = DraftOf<typeof scopeForm.fields>

/** The field of a fault. Both switches have one label. */
export const scopeNames = ({
  enterprises,
  datacenters,
}: Pick<ScopeDraft, 'enterprises' | 'datacenters'>) => ({
  automaticAddDatacenter: 'automaticAddEnterprise' as const,
  scopeEntities: 'enterprises' as const,
  ...Object.fromEntries(
    datacenters.map((_, index) => [`scopeEntities.${enterprises.length + index}`, 'datacenters'] as const),
  ),
})

/** Whether a change affects what users see: a name or a note does not. */
export const needsReview = (sent: SentScope, before: ScopeDraft): boolean => {
  const unnamed = { name: '', ...noNotes }
  return (
    JSON.stringify({ ...sent, ...unnamed }) !== JSON.stringify({ ...sentBy(scopeForm, before), ...unnamed })
  )
}

type ScopeFormProps = {
  /** Above a new scope. */
  above?: Named | undefined
  /** The scope to change; absent for a new one. */
  read?: Read<ScopeDocument>
}

/** Creates a scope, or changes one. */
export function ScopeForm({ above, read }: ScopeFormProps) {
  const say = useTranslations('scopes.form')
  const label = useTranslations('labels')
  const { review, dialog } = useReview()
  return (
    <>
      <FormOnPage
        of={scopeForm}
        read={read}
        first={{ scopeParent: above }}
        label={label('createScope')}
        back={paths.scopes()}
        href={({ id }) => paths.scope(id)}
        names={scopeNames}
        review={review}
        save={useSaveScope().mutateAsync}
        done={({ name }) => say('saved', { name })}
      />
      {dialog}
    </>
  )
}

function ParentInput(props: InputProps<Named | undefined, Unlimited, ScopeDocument>) {
  const { value, error, onChange } = props
  const { draft, saved } = props.form
  const say = useTranslations('scopes.rules')
  const own = useSession().scope
  const isRoot = draft.automaticAddDatacenter || draft.automaticAddEnterprise
  const pinned = saved && isPinned(saved, own) ? say('ownMove') : undefined
  return (
    <ParentField
      scope={saved}
      parent={value}
      refusal={isRoot ? say('unlimitedMove') : pinned}
      error={error}
      onChange={onChange}
    />
  )
}

const dimensions = [
  { field: 'automaticAddEnterprise', own: 'allEnterprises', mark: 'enterprises', kind: 'ENTERPRISE' },
  { field: 'automaticAddDatacenter', own: 'allDatacenters', mark: 'datacenters', kind: 'DATACENTER' },
] as const

/** Makes a scope unlimited. Users can only grant what their own scope has; a scope that was unlimited may stay so. */
function UnlimitedInput({ error, form: { draft, base, change } }: InputProps<boolean, Unlimited>) {
  const say = useTranslations('scopes')
  const { scope } = useSession()
  const [mayEnterprises, mayDatacenters] = dimensions.map(({ field, own }) => scope[own] || base[field])
  const refusal = mayEnterprises
    ? !mayDatacenters && 'limitedInDatacenters'
    : mayDatacenters
      ? 'limitedInEnterprises'
      : 'limitedInBoth'
  return (
    <Field role="group" label={say('form.unlimited')} hint={refusal && say(`rules.${refusal}`)} error={error}>
      {() => (
        <Stack gap="s">
          {dimensions.map(({ field, own, mark, kind }) => (
            <Switch
              key={field}
              on={draft[field]}
              disabled={!scope[own] && !base[field]}
              about={say(`kinds.${kind}.everything`)}
              onChange={(isOn) => change({ [field]: isOn })}
            >
              {say(`marks.${mark}`)}
            </Switch>
          ))}
        </Stack>
      )}
    </Field>
  )
}

/** Each name takes a request of its own. */
const NAMED = 12

function EntityNames({ type, ids }: { type: ScopeEntityType; ids: readonly number[] }) {
  const names = useEntityNames(type, ids.slice(0, NAMED))
  return names.join(', ') + (ids.length > NAMED ? ' …' : '')
}

type Asked = { scope: Named; body: ScopeBody; answer: (isMeant: boolean, refusals?: ApiFault[]) => void }

/** Before a scope is saved: the effects of the change, and the affected users. */
function useReview() {
  const [asked, setAsked] = useState<Asked>()
  const review = (
    { draft, current }: { draft: SentScope; current?: Tagged<ScopeDocument> },
    before: ScopeDraft,
  ) =>
    !current || !needsReview(draft, before)
      ? Promise.resolve(true)
      : new Promise<boolean>((resolve, reject) =>
          setAsked({
            scope: current.document,
            body: scopeBody(draft, current.document),
            answer: (isMeant, faults = []) => {
              setAsked(undefined)
              if (faults.length > 0) reject(new ApiFailure({ status: 409, faults }))
              else resolve(isMeant)
            },
          }),
        )
  return { review, dialog: asked && <ReviewDialog {...asked} /> }
}

/** Back in the form, the refusals of the change are at its fields. */
function ReviewDialog({ scope: { id, name }, body, answer }: Asked) {
  const say = useTranslations('scopes.review')
  const sayCommon = useTranslations('common')
  const read = useQuery(impactQuery(id, body))
  return (
    <ImpactDialog
      title={say('title', { name })}
      read={{ ...read, impact: read.data }}
      refusedTitle={say('refused')}
      confirmLabel={sayCommon('save')}
      onConfirm={() => answer(true)}
      onCancel={() => answer(false, read.data?.refusals)}
    />
  )
}
