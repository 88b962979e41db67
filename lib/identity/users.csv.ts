import { type Csv, fields, linked } from '#lib/http/csv'
import { linkOf } from '#lib/http/view'
import type { UserDocument } from '#lib/identity/identity.schema'

export const userCsv: Csv<UserDocument> = {
  filename: 'users',
  columns: [
    ...fields<UserDocument>('id', 'nick', 'name', 'surname', 'email', 'description'),
    ...linked('enterprise'),
    ...linked('role'),
    ...linked('scope'),
    ...fields<UserDocument>('active', 'locked', 'firstLogin'),
    { name: 'twoFactor', of: (user) => linkOf(user, 'disable2fa') !== undefined },
    ...fields<UserDocument>('authType', 'locale'),
    { name: 'allowedCIDRs', of: ({ allowedCIDRs }) => allowedCIDRs.join(' ') },
  ],
}
