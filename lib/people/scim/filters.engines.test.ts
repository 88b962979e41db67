import { beforeAll, describe, expect, test } from 'vitest'
import { unique } from '#lib/tools/testing/client'
import {
  type Directory,
  ENTERPRISE_SCHEMA,
  newDirectory,
  searchOf,
  USER_SCHEMA,
} from '#lib/tools/testing/scim'
import { newScope } from '#lib/tools/testing/scopes'

/* A directory that sees three users: its own, and two that it made. */

let directory: Directory
const mark = unique('m').replace(' ', '-')
const ids: Record<string, string> = {}

beforeAll(async () => {
  directory = await newDirectory({ scopeId: (await newScope()).id, nick: `${mark}-own` })
  const anna = {
    userName: `${mark}-Anna`,
    externalId: `${mark}-Ext_1`,
    name: { givenName: 'Ánna', familyName: "O'Brien" },
    displayName: 'Annie 100%',
    emails: [{ value: `Anna.${mark}@Example.com` }],
    locale: 'es-ES',
  }
  const bob = { userName: `${mark}-bob`, name: { givenName: 'Bob' }, active: false }
  ids.own = String(directory.user.id)
  ids.anna = (await directory.create(anna)).id
  ids.bob = (await directory.create(bob)).id
})

const named = async (filter: string): Promise<string[]> => {
  const found = await directory.found('/Users', filter)
  return Object.keys(ids).filter((name) => found.includes(ids[name] ?? ''))
}

const all = ['own', 'anna', 'bob']

describe('a filter of users', () => {
  test.each([
    ['eq', 'USERNAME EQ "MARK-anna"', ['anna']],
    ['eq with the schema', `${USER_SCHEMA}:userName eq "MARK-bob"`, ['bob']],
    ['ne', 'userName ne "MARK-anna"', ['own', 'bob']],
    ['co', 'userName co "k-aN"', []],
    ['co, in any case', 'userName co "-ANN"', ['anna']],
    ['co, literally', 'displayName co "0%"', ['anna']],
    ['co, no pattern', 'displayName co "n%i"', []],
    ['sw', 'userName sw "MARK-b"', ['bob']],
    ['ew', 'userName ew "own"', ['own']],
    ['gt', 'userName gt "MARK-anna"', ['own', 'bob']],
    ['ge', 'userName ge "MARK-bob"', ['own', 'bob']],
    ['lt', 'userName lt "MARK-bob"', ['anna']],
    ['le', 'userName le "MARK-bob"', ['anna', 'bob']],
    ['pr', 'externalId pr', ['anna']],
    ['pr of a name', 'name.familyName pr', ['anna']],
    ['eq null', 'externalId eq null', ['own', 'bob']],
    ['an exact id', 'externalId eq "MARK-Ext_1"', ['anna']],
    ['an exact id in another case', 'externalId eq "MARK-ext_1"', []],
    ['part of an exact id', 'externalId co "Ext_"', ['anna']],
    ['part of an exact id in another case', 'externalId co "ext"', []],
    ['the beginning of an exact id', 'externalId sw "MARK-E"', ['anna']],
    ['the end of an exact id', 'externalId ew "_1"', ['anna']],
    ['the end in another case', 'externalId ew "xT_1"', []],
    ['ne of an attribute that some lack', 'externalId ne "x"', all],
    ['not of an attribute that some lack', 'not (externalId sw "MARK")', ['own', 'bob']],
    ['beyond ASCII', 'name.givenName eq "ÁNNA"', ['anna']],
    ['a quote', 'name.familyName eq "o\'brien"', ['anna']],
    ['the whole name', 'name.formatted eq "ánna o\'brien"', ['anna']],
    ['a stored name to show', 'displayName eq "annie 100%"', ['anna']],
    ['a derived name to show', 'displayName eq "bob"', ['bob']],
    ['not the name under another one', 'displayName eq "ánna o\'brien"', []],
    ['an address', 'emails.value eq "anna.MARK@example.COM"', ['anna']],
    ['an address without .value', 'emails eq "anna.MARK@example.COM"', ['anna']],
    ['an address by its type', 'emails[type eq "work" and value co "@example"]', ['anna']],
    ['an address of another type', 'emails[type eq "home"]', []],
    ['no address that is not of work', 'emails[not (type eq "work")]', []],
    ['a primary address', 'emails.primary eq true', ['anna']],
    ['a boolean', 'active eq false', ['bob']],
    ['a boolean as a text', 'active eq "True"', ['own', 'anna']],
    ['ne of a boolean', 'active ne true', ['bob']],
    ['a locale', 'locale eq "ES-es"', ['anna']],
    ['a group', 'groups.display eq "user"', ['anna', 'bob']],
    ['a type of resource', 'meta.resourceType eq "User"', all],
    ['and before or', 'userName ew "own" or userName ew "bob" and active eq true', ['own']],
    ['brackets', '(userName ew "own" or userName ew "bob") and active eq true', ['own']],
    ['not', 'not (active eq true and externalId pr)', ['own', 'bob']],
    ['nothing', 'id eq "abc"', []],
    ['escapes', 'userName eq "MARK\\u002dbob"', ['bob']],
  ])('%s', async (_name, filter, expected) => {
    const sent = filter.replaceAll('MARK', mark)
    expect([sent, await named(sent)]).toEqual([sent, expected])
  })

  test('by id and by organization', async () => {
    expect(await named(`id eq "${ids.bob}"`)).toEqual(['bob'])
    const { [ENTERPRISE_SCHEMA]: extension } = await directory.expectFrom(200, 'GET', `/Users/${ids.bob}`)
    expect(await named(`${ENTERPRISE_SCHEMA}:organization eq "${extension.organization}"`)).toEqual(all)
  })

  test.each([
    'userName',
    'userName eq',
    'userName eq "a',
    'userName is "a"',
    'eq "a"',
    '(userName eq "a"',
    'userName eq "a")',
    'userName eq "a" and',
    'not userName eq "a"',
    'emails[type eq "work"',
    'nothing eq "a"',
    'password eq "a"',
    'userName eq true',
    'active eq "perhaps"',
    'active gt true',
    'active co "t"',
    'userName gt null',
    'userName[value eq "a"]',
    `userName eq "a\\u0000"`,
    `${'('.repeat(40)}userName pr${')'.repeat(40)}`,
    `userName eq "${'a'.repeat(5000)}"`,
    'userName eq "a" ; drop',
  ])('invalidFilter: %s', async (filter) => {
    const query = `?filter=${encodeURIComponent(filter)}`
    expect(await directory.refused('GET', `/Users${query}`)).toEqual([400, 'invalidFilter'])
  })
})

describe('a list', () => {
  const list = async (query: string) => {
    const { Resources, ...rest } = await directory.expectFrom(200, 'GET', `/Users?${query}`)
    const names = Resources.map(({ id }: { id: string }) => Object.keys(ids).find((name) => ids[name] === id))
    return [rest.totalResults, rest.startIndex, rest.itemsPerPage, ...names]
  }

  test('is sorted, users without the attribute last', async () => {
    expect(await list('sortBy=userName')).toEqual([3, 1, 3, 'anna', 'bob', 'own'])
    expect(await list('sortBy=userName&sortOrder=descending')).toEqual([3, 1, 3, 'own', 'bob', 'anna'])
    expect(await list('sortBy=externalId')).toEqual([3, 1, 3, 'anna', 'own', 'bob'])
    expect(await list('sortBy=active')).toEqual([3, 1, 3, 'bob', 'own', 'anna'])
    expect(await directory.refused('GET', '/Users?sortBy=title')).toEqual([400, 'invalidValue'])
    expect(await directory.refused('GET', '/Users?sortOrder=up')).toEqual([400, 'invalidValue'])
  })

  test('has pages from 1, of at most 200', async () => {
    expect(await list('startIndex=2&count=1&sortBy=userName')).toEqual([3, 2, 1, 'bob'])
    expect(await list('startIndex=0&count=1&sortBy=userName')).toEqual([3, 1, 1, 'anna'])
    expect(await list('startIndex=9')).toEqual([3, 9, 0])
    expect(await list('count=0')).toEqual([3, 1, 0])
    expect(await list('count=-5')).toEqual([3, 1, 0])
    expect((await list('count=5000')).slice(0, 3)).toEqual([3, 1, 3])
    expect(await directory.refused('GET', '/Users?count=x')).toEqual([400, 'invalidValue'])
  })

  test('of users and groups has both, an attribute of one has no value in the other', async () => {
    const both = async (filter: string) => {
      const body = searchOf({ filter, sortBy: 'userName', attributes: ['meta'] })
      const { Resources } = await directory.expectFrom(200, 'POST', '/.search', { body })
      return Resources.map(({ meta }: { meta: { resourceType: string } }) => meta.resourceType)
    }
    expect(await both('displayName eq "bob" or displayName eq "user"')).toEqual(['User', 'Group'])
    expect(await both(`userName sw "${mark}" and active eq true`)).toEqual(['User', 'User'])
    const first = await directory.expectFrom(200, 'GET', '/?count=200')
    const { Resources, startIndex } = await directory.expectFrom(200, 'GET', '/?startIndex=3&count=2')
    expect([startIndex, Resources.map(({ id }: { id: string }) => id)]).toEqual([
      3,
      first.Resources.slice(2, 4).map(({ id }: { id: string }) => id),
    ])
  })
})
