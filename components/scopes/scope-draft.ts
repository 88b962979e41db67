import type { FieldNames } from '#components/base/forms/form-faults'
import { parentLinks, parentOf, type ScopeBody } from '#lib/caller/scopes/scopes.queries'
import { type ScopeDocument, type ScopeEntityType, scopeInput } from '#lib/caller/scopes/scopes.schema'
import type { Named } from '#lib/ground/http/view'

/** A scope in its form. */
export type ScopeDraft = {
  name: string
  allDatacenters: boolean
  allEnterprises: boolean
  parent: Named | undefined
  enterprises: readonly number[]
  datacenters: readonly number[]
}

export const emptyDraft = (parent: Named | undefined): ScopeDraft => ({
  name: '',
  allDatacenters: false,
  allEnterprises: false,
  parent,
  enterprises: [],
  datacenters: [],
})

export const entitiesOf = (scope: ScopeDocument, type: ScopeEntityType): number[] =>
  scope.scopeEntities.filter((entity) => entity.type === type).map(({ idResource }) => idResource)

export const draftOf = (scope: ScopeDocument): ScopeDraft => ({
  name: scope.name,
  allDatacenters: scope.automaticAddDatacenter,
  allEnterprises: scope.automaticAddEnterprise,
  parent: parentOf(scope),
  enterprises: entitiesOf(scope, 'ENTERPRISE'),
  datacenters: entitiesOf(scope, 'DATACENTER'),
})

/** The document to send. An unlimited scope has no parent, but keeps its enterprises and datacenters for when it is limited again. */
export function bodyOf(draft: ScopeDraft, id?: number): ScopeBody {
  const unlimited = draft.allDatacenters || draft.allEnterprises
  return {
    ...(id !== undefined && { id }),
    name: draft.name.trim(),
    automaticAddDatacenter: draft.allDatacenters,
    automaticAddEnterprise: draft.allEnterprises,
    scopeEntities: [
      ...draft.enterprises.map((idResource) => ({ idResource, type: 'ENTERPRISE' as const })),
      ...draft.datacenters.map((idResource) => ({ idResource, type: 'DATACENTER' as const })),
    ],
    links: parentLinks(unlimited ? undefined : draft.parent?.id),
  }
}

export const isChanged = (draft: ScopeDraft, base: ScopeDraft): boolean =>
  JSON.stringify(inOrder(draft)) !== JSON.stringify(inOrder(base))

// The type names every field: one that is not compared would be lost without a warning when the form is left.
const inOrder = (draft: ScopeDraft): Record<keyof ScopeDraft, unknown> => ({
  name: draft.name.trim(),
  allDatacenters: draft.allDatacenters,
  allEnterprises: draft.allEnterprises,
  parent: draft.parent?.id,
  enterprises: draft.enterprises.toSorted((one, other) => one - other),
  datacenters: draft.datacenters.toSorted((one, other) => one - other),
})

/** True if only the name changes, which affects no user's visibility. */
export const onlyRenames = (draft: ScopeDraft, base: ScopeDraft): boolean =>
  !isChanged({ ...draft, name: base.name }, base)

export type ScopeField = 'name' | 'unlimited' | 'parent' | 'enterprises' | 'datacenters'

/** The fields of a draft in its document. */
export const scopeNames = ({ enterprises, datacenters }: ScopeDraft): FieldNames<ScopeField> => ({
  scopeParent: 'parent',
  automaticAddDatacenter: 'unlimited',
  automaticAddEnterprise: 'unlimited',
  scopeEntities: 'enterprises',
  ...Object.fromEntries(
    datacenters.map((_, index) => [`scopeEntities.${enterprises.length + index}`, 'datacenters'] as const),
  ),
})

/** Why the shared schema rejects the name. */
export function nameFault({ name }: ScopeDraft): 'nameLength' | 'nameCharacters' | undefined {
  const [issue] = scopeInput.shape.name.safeParse(name.trim()).error?.issues ?? []
  if (!issue) return undefined
  return issue.code === 'custom' && issue.params?.code === 'CONSTR-LENGTH' ? 'nameLength' : 'nameCharacters'
}
