import { type Csv, fields, linked } from '#lib/http/csv'
import type { ScopeDocument, ScopeEntityType } from '#lib/scopes/scopes.schema'

const entities = ({ scopeEntities }: ScopeDocument, wanted: ScopeEntityType): string =>
  scopeEntities
    .filter(({ type }) => type === wanted)
    .map(({ idResource }) => idResource)
    .join(' ')

export const scopeCsv: Csv<ScopeDocument> = {
  filename: 'scopes',
  columns: [
    ...fields<ScopeDocument>('id', 'name'),
    ...linked('parent', 'scopeParent'),
    ...fields<ScopeDocument>('automaticAddEnterprise', 'automaticAddDatacenter'),
    { name: 'enterpriseIds', of: (scope) => entities(scope, 'ENTERPRISE') },
    { name: 'datacenterIds', of: (scope) => entities(scope, 'DATACENTER') },
  ],
}
