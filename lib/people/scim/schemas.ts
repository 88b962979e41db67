import { ENTERPRISE, GROUP, USER } from '#lib/people/scim/schema-urns'

/* The schemas of users and groups (RFC 7643 §7), with the attributes that are kept here. */

type Attribute = {
  name: string
  type: string
  multiValued: boolean
  description: string
  required: boolean
  caseExact: boolean
  mutability: string
  returned: string
  uniqueness: string
  canonicalValues?: string[]
  referenceTypes?: string[]
  subAttributes?: Attribute[]
}

const attribute = (
  name: string,
  description: string,
  differing: Partial<Omit<Attribute, 'name' | 'description'>> = {},
): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...differing,
})

const readOnly = { mutability: 'readOnly' }
const reference = (...referenceTypes: string[]) => ({ type: 'reference', referenceTypes, caseExact: true })

const externalId = attribute('externalId', 'The id in the directory. Unique for the user of the token', {
  caseExact: true,
})

const name = attribute('name', 'The parts of the name', {
  type: 'complex',
  subAttributes: [
    attribute('formatted', 'The whole name. It counts if no part is sent'),
    attribute('givenName', 'The first name'),
    attribute('familyName', 'The last name'),
  ],
})

const emails = attribute('emails', 'The e-mail address. A user has one: the primary one of those sent', {
  type: 'complex',
  multiValued: true,
  subAttributes: [
    attribute('value', 'The address'),
    attribute('type', 'Always work', { canonicalValues: ['work'] }),
    attribute('primary', 'Whether it is the primary address', { type: 'boolean' }),
  ],
})

const groups = attribute('groups', 'The role of the user, changed by its members', {
  type: 'complex',
  multiValued: true,
  ...readOnly,
  subAttributes: [
    attribute('value', 'The id of the group', readOnly),
    attribute('$ref', 'The address of the group', { ...readOnly, ...reference('Group') }),
    attribute('display', 'The name of the group', readOnly),
    attribute('type', 'Always direct', { ...readOnly, canonicalValues: ['direct'] }),
  ],
})

const members = attribute('members', 'The users with this role', {
  type: 'complex',
  multiValued: true,
  subAttributes: [
    attribute('value', 'The id of the user', { mutability: 'immutable' }),
    attribute('$ref', 'The address of the user', { mutability: 'immutable', ...reference('User') }),
    attribute('display', 'The name of the user', readOnly),
    attribute('type', 'Always User', { mutability: 'immutable', canonicalValues: ['User'] }),
  ],
})

export const schemas = [
  {
    id: USER,
    name: 'User',
    description: 'A user',
    attributes: [
      externalId,
      attribute('userName', 'The name with which the user signs in', {
        required: true,
        uniqueness: 'server',
      }),
      name,
      attribute('displayName', 'The name to show. By default the formatted one'),
      emails,
      attribute('locale', 'The language, as in en-US'),
      attribute('active', 'Whether the user may sign in', { type: 'boolean' }),
      attribute('password', 'The password', { caseExact: true, mutability: 'writeOnly', returned: 'never' }),
      groups,
    ],
  },
  {
    id: ENTERPRISE,
    name: 'EnterpriseUser',
    description: 'The enterprise of a user',
    attributes: [
      attribute('organization', 'The name of the enterprise. By default that of the user of the token'),
    ],
  },
  {
    id: GROUP,
    name: 'Group',
    description: 'A role',
    attributes: [
      externalId,
      attribute('displayName', 'The name of the role', { required: true, uniqueness: 'server' }),
      members,
    ],
  },
]
