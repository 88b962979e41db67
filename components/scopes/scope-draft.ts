import type { ApiFault } from '#lib/client/api'
import type { Named } from '#lib/http/view'
import { parentLinks, parentOf, type ScopeBody } from '#lib/scopes/scopes.queries'
import { type ScopeDocument, type ScopeEntityType, scopeInput } from '#lib/scopes/scopes.schema'

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

/** True if only the name changes, which changes nobody's view. */
export const onlyRenames = (draft: ScopeDraft, base: ScopeDraft): boolean =>
  !isChanged({ ...draft, name: base.name }, base)

export type ScopeField = 'name' | 'unlimited' | 'parent' | 'enterprises' | 'datacenters'

const fieldOfCode: Record<string, ScopeField> = {
  'SCOPE-0': 'name',
  'SCOPE-1': 'parent',
  'SCOPE-18': 'parent',
  'SCOPE-20': 'parent',
  'SCOPE-21': 'unlimited',
  'SCOPE-8': 'enterprises',
  'SCOPE-10': 'enterprises',
  'SCOPE-13': 'enterprises',
  'EN-0': 'enterprises',
  'DC-0': 'datacenters',
}

/** The field that a fault of the API belongs to, if any. */
export function fieldOf({ code, message }: ApiFault): ScopeField | undefined {
  if (code === 'SCOPE-7') return /datacenter/i.test(message) ? 'datacenters' : 'enterprises'
  if (code.startsWith('CONSTR-') && /\bname\b/i.test(message)) return 'name'
  return fieldOfCode[code]
}

/** Why the shared schema rejects the name. */
export function nameFault({ name }: ScopeDraft): 'nameLength' | 'nameCharacters' | undefined {
  const [issue] = scopeInput.shape.name.safeParse(name.trim()).error?.issues ?? []
  if (!issue) return undefined
  return issue.code === 'custom' && issue.params?.code === 'CONSTR-LENGTH' ? 'nameLength' : 'nameCharacters'
}
