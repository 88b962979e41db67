import { type Csv, fields, linked } from '#lib/http/csv'
import type { RoleDocument } from '#lib/identity/identity.schema'

export const roleCsv: Csv<RoleDocument> = {
  filename: 'roles',
  columns: [...fields<RoleDocument>('id', 'name', 'blocked'), ...linked('enterprise'), ...linked('scope')],
}
