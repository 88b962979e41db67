import { type Csv, fields, linked } from '#lib/http/csv'
import type { EnterpriseDocument } from '#lib/identity/identity.schema'

export const enterpriseCsv: Csv<EnterpriseDocument> = {
  filename: 'enterprises',
  columns: [
    ...fields<EnterpriseDocument>('id', 'name', 'twoFactorAuthenticationMandatory'),
    ...linked('scope'),
  ],
}
