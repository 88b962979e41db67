import { describe, expect, test } from 'vitest'
import { call, expectStatus, unique } from '#lib/tools/testing/client'
import { refusal } from '#lib/tools/testing/refusal'
import { newScope, parentLink, putScope, readScope, scopePath } from '#lib/tools/testing/scopes'
import { search } from '#lib/tools/testing/search'

/** Concurrent moves run in another order each time. */
const ROUNDS = search(20).numRuns

type Scope = { id: number; links: { rel: string; href: string }[] }

const parentOf = ({ links }: Scope): number | undefined => {
  const href = links.find(({ rel }) => rel === 'scopeParent')?.href
  return href === undefined ? undefined : Number(href.split('/').at(-1))
}

/** The ancestors of a scope, with an error for a cycle. */
async function wayUp(id: number): Promise<number[]> {
  const way = [id]
  for (let next = parentOf(await readScope(id)); next !== undefined; next = parentOf(await readScope(next))) {
    if (way.includes(next)) throw new Error(`a cycle: ${[...way, next].join(' → ')}`)
    way.push(next)
  }
  return way
}

const move = (scope: Scope, parent: Scope) => putScope(scope, { links: [parentLink(parent.id)] })

const newScopes = async (count: number): Promise<Scope[]> => {
  const made: Scope[] = []
  while (made.length < count) made.push(await newScope())
  return made
}

describe('scopes that are moved at the same time never make a cycle', () => {
  test.each([2, 3, 5])('where each of %d becomes a child of the next', async (size) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const scopes = await newScopes(size)
      const next = (index: number) => scopes[(index + 1) % size] ?? scopes[0]
      const answers = await Promise.all(scopes.map((scope, index) => move(scope, next(index) as Scope)))
      const refused = answers.filter(({ status }) => status !== 200)
      for (const answer of refused) expect(await refusal(Promise.resolve(answer))).toEqual([409, 'SCOPE-18'])
      expect(refused).toHaveLength(1)
      for (const { id } of scopes) await wayUp(id)
    }
  })

  test('where two branches are hung under each other', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [left, right] = (await newScopes(2)) as [Scope, Scope]
      const leftEnd = await newScope({ parent: (await newScope({ parent: left.id })).id })
      const rightEnd = await newScope({ parent: (await newScope({ parent: right.id })).id })
      const answers = await Promise.all([move(left, rightEnd), move(right, leftEnd)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect((await wayUp(leftEnd.id)).length + (await wayUp(rightEnd.id)).length).toBe(3 + 6)
    }
  })
})

test('of two scopes that take the same name at once, one does', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, other] = (await newScopes(2)) as [Scope, Scope]
    const name = unique('Wanted')
    const answers = await Promise.all([putScope(one, { name }), putScope(other, { name })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  }
})

test('a scope that is deleted while another moves below it leaves no orphan', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [parent, child] = (await newScopes(2)) as [Scope, Scope]
    const [moved, deleted] = await Promise.all([move(child, parent), call('DELETE', scopePath(parent.id))])
    expect([`${moved.status} ${deleted.status}`]).toEqual([expect.stringMatching(/^(200 409|404 204)$/)])
    await expectStatus(200, putScope(await readScope(child.id)))
  }
})
