import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IMPACT_SHOWN, type ScopeDocument, type ScopeImpact } from '#lib/caller/scopes/scopes.schema'
import { transaction } from '#lib/db/db.server'
import { insertRole } from '#lib/people/identity/roles.server'
import {
  call,
  codesOf,
  expectStatus,
  newEnterprise,
  newUser,
  type User,
  unique,
} from '#lib/tools/testing/client'
import { newDatacenter, newMachine, newTemplate } from '#lib/tools/testing/nat'
import {
  newScope,
  ofDatacenter,
  ofEnterprise,
  parentLink,
  readScope,
  scopePath,
} from '#lib/tools/testing/scopes'
import { search, searchTime } from '#lib/tools/testing/search'

const ENTERPRISES = 3
const DATACENTERS = 2

const held = {
  enterprises: fc.subarray([...Array(ENTERPRISES).keys()]),
  datacenters: fc.subarray([...Array(DATACENTERS).keys()]),
  allEnterprises: fc.boolean(),
  allDatacenters: fc.boolean(),
}
const sometimes = { freq: 3 }
const index = fc.nat({ max: 50 })

const cloud = fc.record({
  scopes: fc.array(fc.record({ parent: fc.option(index, sometimes), ...held }), {
    minLength: 3,
    maxLength: 6,
  }),
  users: fc.array(fc.record({ enterprise: index, scope: fc.option(index, sometimes) }), { maxLength: 4 }),
  defaults: fc.array(fc.option(index, { freq: 1 }), { minLength: ENTERPRISES, maxLength: ENTERPRISES }),
  templates: fc.array(fc.record({ owner: index, scope: index, usedBy: index }), { maxLength: 2 }),
  role: fc.option(index, sometimes),
  change: fc.record({
    target: index,
    remove: fc.boolean(),
    parent: fc.option(index, sometimes),
    name: fc.constantFrom('same', 'new', 'taken'),
    ...held,
  }),
})
type Cloud = typeof cloud extends fc.Arbitrary<infer T> ? T : never
type Held = { enterprises: number[]; datacenters: number[]; allEnterprises: boolean; allDatacenters: boolean }

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

/** Makes the cloud that is described. Everything of it has the mark in its name. */
async function build({ scopes, users, defaults, templates, role }: Cloud) {
  const mark = `${unique('mark')}.`
  const enterprises: number[] = []
  for (const name of Array(ENTERPRISES).keys()) enterprises.push((await newEnterprise(`${mark}${name}`)).id)
  const datacenters: number[] = []
  for (const name of Array(DATACENTERS).keys()) datacenters.push((await newDatacenter(`${mark}${name}`)).id)
  const made: number[] = []
  for (const [at, { parent, ...holds }] of scopes.entries()) {
    const unlimited = holds.allEnterprises || holds.allDatacenters
    const above = unlimited || parent === null || made.length === 0 ? undefined : pick(made, parent)
    const { id } = await newScope({
      name: `${mark}${at}`,
      ...documentOf({ enterprises, datacenters }, holds),
      parent: above,
    })
    made.push(id)
  }
  await transaction(async (trx) => {
    for (const [at, scope] of defaults.entries()) {
      if (scope === null) continue
      const default_scope_id = pick(made, scope)
      await trx
        .updateTable('enterprises')
        .set({ default_scope_id })
        .where('id', '=', pick(enterprises, at))
        .execute()
    }
    if (role !== null)
      await insertRole(trx, { name: `${mark}role`, privileges: [], scopeId: pick(made, role) })
  })
  const persons: (User & { id: number; enterpriseId: number; scope: number | undefined })[] = []
  for (const { enterprise, scope } of users) {
    const enterpriseId = pick(enterprises, enterprise)
    const fallback = defaults[enterprises.indexOf(enterpriseId)]
    const own = scope === null ? undefined : pick(made, scope)
    const effective = own ?? (typeof fallback === 'number' ? pick(made, fallback) : undefined)
    persons.push({ ...(await newUser({ enterpriseId, scopeId: own })), scope: effective })
  }
  for (const { owner, scope, usedBy } of templates) {
    const place = { enterpriseId: pick(enterprises, owner), datacenterId: pick(datacenters, 0) }
    const template = await newTemplate({ ...place, scopeId: pick(made, scope) })
    await newMachine({ enterprise: pick(enterprises, usedBy), datacenter: place.datacenterId, template })
  }
  return { mark, enterprises, datacenters, scopes: made, persons }
}
type Built = Awaited<ReturnType<typeof build>>

const documentOf = (all: { enterprises: number[]; datacenters: number[] }, holds: Held) => ({
  automaticAddEnterprise: holds.allEnterprises,
  automaticAddDatacenter: holds.allDatacenters,
  enterprises: holds.enterprises.map((at) => all.enterprises[at] ?? 0),
  datacenters: holds.datacenters.map((at) => all.datacenters[at] ?? 0),
})

/** The change as a document; undefined: delete. */
function documentToSend(built: Built, { change }: Cloud, before: ScopeDocument): object | undefined {
  if (change.remove) return undefined
  const { enterprises, datacenters, ...flags } = documentOf(built, change)
  const names = { same: before.name, new: `${before.name}.new`, taken: `${built.mark}0` }
  return {
    name: names[change.name],
    ...flags,
    scopeEntities: [...enterprises.map(ofEnterprise), ...datacenters.map(ofDatacenter)],
    links: change.parent === null ? [] : [parentLink(pick(built.scopes, change.parent))],
  }
}

/** Everything in this cloud that a user sees, except the scope that may be deleted. */
async function viewOf({ mark }: Built, as: User, deleted: number | undefined): Promise<string> {
  const seen = ['enterprises', 'datacenters', 'scopes'].map(async (kind) => {
    const path = `/api/admin/${kind}?limit=500&has=${encodeURIComponent(mark)}`
    const { collection } = await expectStatus(200, call('GET', path, { as }))
    return collection.map(({ id }: { id: number }) => `${kind} ${id}`)
  })
  const words = (await Promise.all(seen)).flat()
  return words
    .filter((word) => word !== `scopes ${deleted}`)
    .sort()
    .join()
}

const entities = (
  scope: ScopeDocument | undefined,
  type: string,
  all: boolean | undefined,
  mine: number[],
): number[] =>
  all
    ? mine
    : (scope?.scopeEntities ?? [])
        .filter((entity) => entity.type === type)
        .map(({ idResource }) => idResource)

/** The resources of this cloud in a scope. */
const holdings = (built: Built, scope: ScopeDocument | undefined): Set<string> =>
  new Set([
    ...entities(scope, 'ENTERPRISE', scope?.automaticAddEnterprise, built.enterprises).map(
      (id) => `ENTERPRISE ${id}`,
    ),
    ...entities(scope, 'DATACENTER', scope?.automaticAddDatacenter, built.datacenters).map(
      (id) => `DATACENTER ${id}`,
    ),
  ])

const without = (one: Set<string>, other: Set<string>): Set<string> =>
  new Set([...one].filter((word) => !other.has(word)))

const words = (entries: { type: string; id: number }[]): string[] =>
  entries.map(({ type, id }) => `${type} ${id}`)

test('the impact operation predicts the actual outcome', { timeout: searchTime(120_000) }, async () => {
  await fc.assert(
    fc.asyncProperty(cloud, async (described) => {
      const built = await build(described)
      const target = pick(built.scopes, described.change.target)
      const before: ScopeDocument = await readScope(target)
      const body = documentToSend(built, described, before)
      const gone = body ? undefined : target
      const views = await Promise.all(built.persons.map((person) => viewOf(built, person, gone)))
      const predicted: ScopeImpact = await expectStatus(
        200,
        call('POST', `${scopePath(target)}/action/impact`, body && { body }),
      )
      expect(await readScope(target)).toEqual(before)

      const answer = await (body
        ? call('PUT', scopePath(target), { body })
        : call('DELETE', scopePath(target)))
      const refused = answer.ok ? [] : await codesOf(answer)
      expect(predicted.refusals.map(({ code }) => code).sort()).toEqual(refused.sort())
      const after = answer.ok && body ? await readScope(target) : answer.ok ? undefined : before
      // Of a long list the first are shown; the cloud of another test may fill it.
      if (!answer.ok || predicted.totals.users > IMPACT_SHOWN) return

      const [was, is] = [holdings(built, before), holdings(built, after)]
      const ours = new Set([...was, ...is])
      const shown = (entries: ScopeImpact['gained']) => words(entries).filter((word) => ours.has(word))
      if (predicted.totals.gained <= IMPACT_SHOWN)
        expect(new Set(shown(predicted.gained))).toEqual(without(is, was))
      if (predicted.totals.lost <= IMPACT_SHOWN)
        expect(new Set(shown(predicted.lost))).toEqual(without(was, is))

      const flags = (scope: ScopeDocument | undefined) => [
        scope?.automaticAddDatacenter,
        scope?.automaticAddEnterprise,
      ]
      const flagged = JSON.stringify(flags(before)) !== JSON.stringify(flags(after))
      const changes = [...without(was, is), ...without(is, was)]
      const affected = new Set(predicted.users.map(({ id }) => id))
      for (const [at, person] of built.persons.entries()) {
        const changed = (await viewOf(built, person, gone)) !== views[at]
        const onlyOwn = changes.every((change) => change === `ENTERPRISE ${person.enterpriseId}`)
        if (changed) expect(affected).toContain(person.id)
        else if (affected.has(person.id)) expect(flagged || (person.scope === target && onlyOwn)).toBe(true)
      }
    }),
    search(100),
  )
})
