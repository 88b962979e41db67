import { describe, expect, test } from 'vitest'
import { ApiError } from '#lib/ground/http/errors'
import { addressOf, type Draft } from '#lib/people/scim/drafts'
import { parsePath } from '#lib/people/scim/filter'
import { operationsOf } from '#lib/people/scim/operations'
import { patched } from '#lib/people/scim/user-patch'

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User'

const before: Draft = {
  externalId: 'e1',
  userName: 'babs',
  givenName: 'Barbara',
  familyName: 'Jensen',
  displayName: 'Babs',
  emails: [{ value: 'babs@example.com', type: 'work', primary: true }],
  locale: 'en_US',
  organization: 'Old',
}

const operations = (...Operations: object[]) =>
  operationsOf({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }, 'user')

const changed = (...sent: object[]): Draft => patched(before, operations(...sent))

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof ApiError ? error.faults[0]?.code : String(error)
  }
}

describe('PATCH of a user (RFC 7644 §3.5.2)', () => {
  test.each<[string, object, Partial<Draft>]>([
    ['add', { op: 'add', path: 'displayName', value: 'B' }, { displayName: 'B' }],
    ['replace', { op: 'replace', path: 'userName', value: 'b' }, { userName: 'b' }],
    ['remove', { op: 'remove', path: 'externalId' }, { externalId: undefined }],
    ['the operations of Entra', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['a name in another case', { op: 'ADD', path: 'DISPLAYNAME', value: 'B' }, { displayName: 'B' }],
    ['a part', { op: 'replace', path: 'name.familyName', value: 'J' }, { familyName: 'J' }],
    [
      'a part with the schema',
      { op: 'replace', path: `${CORE}:name.givenName`, value: 'B' },
      { givenName: 'B' },
    ],
    ['some parts', { op: 'add', path: 'name', value: { familyName: 'J' } }, { familyName: 'J' }],
    [
      'all parts',
      { op: 'remove', path: 'name' },
      { givenName: undefined, familyName: undefined, formatted: undefined },
    ],
    [
      'the extension',
      { op: 'add', path: `${ENTERPRISE}:organization`, value: 'New' },
      { organization: 'New' },
    ],
    [
      'the extension whole',
      { op: 'replace', path: ENTERPRISE, value: { organization: 'New', department: 'D' } },
      { organization: 'New' },
    ],
    [
      'no path',
      { op: 'replace', value: { active: false, displayName: 'B', id: '7' } },
      { active: false, displayName: 'B' },
    ],
    ['no path, names with dots', { op: 'add', value: { 'name.givenName': 'B' } }, { givenName: 'B' }],
    [
      'no path, the extension',
      { op: 'add', value: { [ENTERPRISE]: { organization: 'New' } } },
      { organization: 'New' },
    ],
    [
      'no path, the extension with its attribute',
      { op: 'add', value: { [`${ENTERPRISE}:organization`]: 'New' } },
      { organization: 'New' },
    ],
    [
      'a value in a list, as Entra may send it',
      { op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'B' }] },
      { displayName: 'B' },
    ],
    [
      'null, which is no value',
      { op: 'replace', path: 'displayName', value: undefined },
      { displayName: undefined },
    ],
    ['attributes that are not kept', { op: 'add', path: 'title', value: 'T' }, {}],
    [
      'attributes that are not kept, with a filter',
      { op: 'replace', path: 'phoneNumbers[type eq "work"].value', value: '1' },
      {},
    ],
    ['a password', { op: 'replace', path: 'password', value: 'secret' }, { password: 'secret' }],
  ])('%s', (_name, operation, change) => {
    expect(changed(operation)).toEqual({ ...before, ...change })
  })

  test.each<[string, object[], string]>([
    [
      'replace by a filter',
      [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'n@x.com' }],
      'n@x.com',
    ],
    ['add by a filter', [{ op: 'Add', path: 'emails[type eq "work"].value', value: 'n@x.com' }], 'n@x.com'],
    [
      'a filter on a boolean',
      [{ op: 'replace', path: 'emails[primary eq true].value', value: 'n@x.com' }],
      'n@x.com',
    ],
    [
      'a filter of two',
      [{ op: 'replace', path: 'emails[type eq "work" and value co "@"]', value: { value: 'n@x.com' } }],
      'n@x.com',
    ],
    ['without a filter', [{ op: 'replace', path: 'emails.value', value: 'n@x.com' }], 'n@x.com'],
    ['replace all', [{ op: 'replace', path: 'emails', value: [{ value: 'n@x.com' }] }], 'n@x.com'],
    ['replace by one object', [{ op: 'replace', path: 'emails', value: { value: 'n@x.com' } }], 'n@x.com'],
    [
      'add another one',
      [{ op: 'add', path: 'emails', value: [{ value: 'n@x.com', type: 'home' }] }],
      'babs@example.com',
    ],
    [
      'add another primary one',
      [{ op: 'add', path: 'emails', value: [{ value: 'n@x.com', primary: 'True' }] }],
      'n@x.com',
    ],
    [
      'add one of another type',
      [{ op: 'add', path: 'emails[type eq "other"].value', value: 'n@x.com' }],
      'babs@example.com',
    ],
    ['remove by a filter', [{ op: 'remove', path: 'emails[type eq "work"]' }], ''],
    ['remove what is not there', [{ op: 'remove', path: 'emails[type eq "home"]' }], 'babs@example.com'],
    ['remove a part', [{ op: 'remove', path: 'emails[type eq "work"].value' }], ''],
    ['remove all', [{ op: 'remove', path: 'emails' }], ''],
    [
      'in order',
      [
        { op: 'remove', path: 'emails' },
        { op: 'add', path: 'emails[type eq "work"].value', value: 'n@x.com' },
      ],
      'n@x.com',
    ],
  ])('emails: %s', (_name, sent, address) => {
    expect(addressOf(changed(...sent).emails)).toBe(address)
  })

  test.each<[string, object, string]>([
    [
      'noTarget: a filter that matches nothing',
      { op: 'replace', path: 'emails[type eq "home"].value', value: 'x' },
      'SCIM-2',
    ],
    ['noTarget: remove without a path', { op: 'remove' }, 'SCIM-2'],
    ['invalidPath: an unknown attribute', { op: 'add', path: 'nothing', value: 1 }, 'SCIM-1'],
    ['invalidPath: an unknown attribute without a path', { op: 'add', value: { nothing: 1 } }, 'SCIM-1'],
    ['invalidPath: an unknown part', { op: 'add', path: 'emails.nothing', value: 1 }, 'SCIM-1'],
    [
      'invalidPath: a filter on a single value',
      { op: 'add', path: 'userName[value eq "a"]', value: 1 },
      'SCIM-1',
    ],
    ['invalidPath: no grammar', { op: 'add', path: 'emails[type', value: 1 }, 'SCIM-1'],
    ['invalidPath: two paths', { op: 'add', path: 'userName displayName', value: 1 }, 'SCIM-1'],
    ['invalidPath: a name of JavaScript', { op: 'add', path: '__proto__', value: { polluted: 1 } }, 'SCIM-1'],
    [
      'invalidPath: another name of JavaScript',
      { op: 'add', path: 'constructor.prototype', value: 1 },
      'SCIM-1',
    ],
    ['mutability: the id', { op: 'replace', path: 'id', value: '1' }, 'SCIM-4'],
    ['mutability: groups', { op: 'add', path: 'groups', value: [{ value: '1' }] }, 'SCIM-4'],
    ['invalidValue: no boolean', { op: 'replace', path: 'active', value: 'perhaps' }, 'SCIM-5'],
    ['invalidValue: no text', { op: 'replace', path: 'displayName', value: { a: 1 } }, 'SCIM-5'],
    ['invalidValue: no object', { op: 'replace', value: 'text' }, 'SCIM-5'],
    ['invalidSyntax: an unknown operation', { op: 'move', path: 'a', value: 1 }, 'SCIM-6'],
    ['invalidSyntax: add without a value', { op: 'add', path: 'displayName' }, 'SCIM-6'],
    ['invalidSyntax: a path that is no text', { op: 'add', path: 7, value: 1 }, 'SCIM-6'],
  ])('%s', (_name, operation, code) => {
    expect(codeOf(() => changed(operation))).toBe(code)
  })

  test('a message without its schema or without operations is invalidSyntax', () => {
    expect(codeOf(() => operationsOf({ Operations: [{ op: 'remove', path: 'a' }] }, 'user'))).toBe('SCIM-6')
    expect(codeOf(() => operations())).toBe('SCIM-6')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

test('a path has an attribute, a filter and a part', () => {
  expect(parsePath('emails[type eq "a ] \\" b" and (primary eq true)].value')).toEqual({
    attribute: 'emails',
    filter: {
      op: 'and',
      filters: [
        { op: 'eq', path: 'type', value: 'a ] " b' },
        { op: 'eq', path: 'primary', value: true },
      ],
    },
    sub: 'value',
  })
})
