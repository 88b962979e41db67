import { expect, test } from 'vitest'
import { endDue } from '#lib/state/ends/ends.server'
import { call, expectStatus, newEnterprise } from '#lib/tools/testing/client'
import { createdUser, newRole, usersOf } from '#lib/tools/testing/identity'
import { centerPath } from '#lib/tools/testing/inventory'
import { dnat, newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'

/* docs/api/ends.md, "Ends": an edit that began before an end does not undo the end. */

const at = Date.now() + 2 * 24 * 60 * 60 * 1000
const ends = new Date(at).toISOString()

type Document = { ends?: string; active?: boolean; enabled?: boolean; links: { rel: string }[] }

/** Each with the path of its form. */
const resources: Record<string, { make: () => Promise<string>; isOn: (document: Document) => boolean }> = {
  user: {
    make: async () => {
      const { id } = await newEnterprise()
      return `${usersOf(id)}/${(await createdUser(id, { role: await newRole(), ends })).id}`
    },
    isOn: ({ active }) => active === true,
  },
  'NAT rule': {
    make: async () => {
      const machine = await newMachineWithIps()
      const list = `${machine.path}/natrules`
      const body = { ...ruleBody(machine, dnat(80)), ends }
      return `${list}/${(await expectStatus(201, call('POST', list, { body }))).id}`
    },
    isOn: ({ enabled }) => enabled === true,
  },
  'NAT IP': {
    make: async () => {
      const machine = await newMachineWithIps()
      const path = `${centerPath(machine.center)}/natips/${machine.natIps[1]}`
      await expectStatus(200, call('PUT', path, { body: { defaultSnat: false, ends } }))
      return path
    },
    isOn: ({ ends: end }) => end !== undefined,
  },
}

async function opened(path: string) {
  const response = await call('GET', path)
  const etag = response.headers.get('etag') ?? ''
  const body = await expectStatus(200, response)
  return (changes: object = {}, conditions = { 'if-match': etag }) =>
    call('PUT', path, { body: { ...body, ...changes }, headers: { ...conditions } })
}

const endsIn = async (days: number) => new Date(at + days * 24 * 60 * 60 * 1000).toISOString()

const nowOf = async (path: string) => {
  const response = await call('GET', path)
  return response.status === 200 ? ((await response.json()) as Document) : undefined
}

test.each(Object.entries(resources))(
  'a form of a %s that was opened before the end is refused after it',
  async (_, { make, isOn }) => {
    const path = await make()
    const [first, second] = [await opened(path), await opened(path)]
    await endDue(at)
    for (const save of [first, second]) expect([404, 409, 412]).toContain((await save()).status)
    // Nor without the condition: the end that it sends has passed.
    const now = await nowOf(path)
    expect(now === undefined || !isOn(now)).toBe(true)
  },
)

test.each(Object.entries(resources))(
  'of an edit of a %s and its end at once, the end wins or the edit is a later end',
  async (_, { make, isOn }) => {
    const path = await make()
    const [one, other] = [await opened(path), await opened(path)]
    const later = await endsIn(1)
    const [saved, again] = await Promise.all([one({ ends: later }), other({ description: 'x' }), endDue(at)])
    const now = await nowOf(path)
    const statuses = [saved.status, again.status]
    if (now !== undefined && isOn(now)) expect([statuses.includes(200), now.ends]).toEqual([true, later])
    else expect(saved.status).not.toBe(200)
  },
)
