import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultsOf, rulesOf, type TranslationRow } from '#lib/cloud/translations/translations.server'
import { database } from '#lib/db/db.server'
import { translationColumns } from '#lib/db/translation-log.server'
import { call, expectStatus, ORIGIN } from '#lib/tools/testing/client'
import { centerPath, newPrivateIp, nicLink, privateIpsPath } from '#lib/tools/testing/inventory'
import { networksPath } from '#lib/tools/testing/nat'
import {
  attachPath,
  type MachineWithIps,
  newMachineWithIps,
  releasePath,
  ruleBody,
} from '#lib/tools/testing/nat-rules'
import { search, searchTime } from '#lib/tools/testing/search'
import { settled } from '#lib/tools/testing/settled'

/* The log of translations beside the list of them, whatever rules, default SNATs and private IPs do. */

type Rule = { id: number; enabled: boolean; snat: boolean; links: object[] }
type Command = (at: MachineWithIps) => Promise<Response>

const read = (path: string) => expectStatus(200, call('GET', path))
const rulesAt = async ({ path }: MachineWithIps): Promise<Rule[]> =>
  (await read(`${path}/natrules?limit=0`)).collection
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(list.length, 1)]

const n = fc.nat({ max: 3 })
const ports = n.map((port) => ({ originalPort: 80 + port, translatedPort: 8000 + port }))
const fields = fc.oneof(
  fc.constant({ snat: true }),
  fc
    .tuple(ports, fc.constantFrom('TCP', 'UDP', 'ANY'))
    .map(([of, protocol]) => ({ snat: false, protocol, ...of })),
)

const bodyOf = (
  at: MachineWithIps,
  rule: { snat: boolean },
  [natIp, privateIp, enabled]: [number, number, boolean],
) => ({
  ...ruleBody(at, rule, {
    natIp: pick(at.natIps, natIp) ?? 0,
    privateIp: pick(at.privateIps, privateIp) ?? 0,
  }),
  enabled,
})

const changedRule = async (at: MachineWithIps, of: number, change: (rule: Rule) => object) => {
  const rule = pick(await rulesAt(at), of)
  return call('PUT', `${at.path}/natrules/${rule?.id ?? 0}`, { body: rule ? change(rule) : {} })
}

const machineWith = async (
  at: MachineWithIps,
  change: (document: { natrules?: Rule[]; links: object[] }) => object,
) => call('PUT', at.path, { body: change(await read(at.path)) })

const undoLast = async () => {
  const { collection } = await read('/api/events?limit=1&by=id&asc=false')
  return call('POST', `/api/events/${collection[0].id}/action/undo`)
}

const isNic = (link: object) => 'rel' in link && /^nic\d*$/.test(String(link.rel))

/** Some are refused, as in life. */
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(fields, fc.tuple(n, n, fc.boolean())).map(
      ([rule, of]): Command =>
        (at) =>
          call('POST', `${at.path}/natrules`, { body: bodyOf(at, rule, of) }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(n, fc.boolean(), fc.option(ports)).map(
      ([of, enabled, moved]): Command =>
        (at) =>
          changedRule(at, of, (rule) => ({ ...rule, enabled, ...(rule.snat ? {} : moved) })),
    ),
  },
  n.map(
    (of): Command =>
      async (at) =>
        call('DELETE', `${at.path}/natrules/${pick(await rulesAt(at), of)?.id ?? 0}`),
  ),
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('', 'snat=true', 'snat=false', 'enabled=true', 'enabled=false'), fc.boolean())
      .map(
        ([filter, enabled]): Command =>
          ({ network }) =>
            call('POST', `${networksPath(network.datacenter)}/action/changerules`, {
              body: { filter, enabled },
            }),
      ),
  },
  fc.tuple(n, fc.boolean()).map(
    ([left, enabled]): Command =>
      (at) =>
        machineWith(at, (machine) => ({
          ...machine,
          natrules: (machine.natrules ?? []).flatMap((rule, index) =>
            index === left ? [] : { ...rule, enabled },
          ),
        })),
  ),
  fc.tuple(n, fc.boolean()).map(
    ([of, defaultSnat]): Command =>
      ({ center, natIps }) =>
        call('PUT', `${centerPath(center)}/natips/${pick(natIps, of)}`, { body: { defaultSnat } }),
  ),
  fc.tuple(n, fc.boolean()).map(
    ([of, isReleased]): Command =>
      ({ center, natIps }) =>
        call('PUT', (isReleased ? releasePath : attachPath)(center, pick(natIps, of) ?? 0)),
  ),
  n.map(
    (of): Command =>
      ({ center, privateIps }) =>
        call('DELETE', `${privateIpsPath(center)}/${pick(privateIps, of)}`),
  ),
  fc.subarray([0, 1, 2] as const).map(
    (held): Command =>
      (at) =>
        machineWith(at, (machine) => ({
          ...machine,
          natrules: [],
          links: [
            ...machine.links.filter((link) => !isNic(link)),
            ...held.map((of, number) => nicLink(number as 0 | 1, at.center, at.privateIps[of as 0 | 1])),
          ],
        })),
  ),
  { weight: 3, arbitrary: fc.constant<Command>(undoLast) },
)

const textOf = (row: TranslationRow): string =>
  JSON.stringify(translationColumns.map((column) => row[column]))

const listed = async (device: number) => {
  const { read: db } = database()
  return [...(await rulesOf(db, device).execute()), ...(await defaultsOf(db, device).execute())]
    .map(textOf)
    .sort()
}

/** The sums in the log: a translation that is there once has 1. */
async function logged(device: number): Promise<string[]> {
  const rows = await database()
    .read.selectFrom('translation_changes')
    .where('device_id', '=', device)
    .groupBy(translationColumns)
    .select((on) => [...translationColumns, on.fn.sum<number>('added').as('net')])
    .execute()
  return rows
    .flatMap((row) => {
      expect([0, 1]).toContain(Number(row.net))
      return Number(row.net) === 1 ? [textOf(row)] : []
    })
    .sort()
}

async function place() {
  const at = await newMachineWithIps()
  const privateIps = [...at.privateIps, await newPrivateIp(at.center, '10.0.0.3')]
  const { links } = await read(`${networksPath(at.network.datacenter)}/${at.network.id}`)
  const device = new URL(links.find(({ rel }: { rel: string }) => rel === 'device').href, ORIGIN).pathname
  return {
    at: { ...at, privateIps } as unknown as MachineWithIps,
    device: Number(device.split('/').at(-1)),
    translations: `${device}/translations`,
  }
}

const byText = (entries: readonly object[] = []) => new Set(entries.map((entry) => JSON.stringify(entry)))

test('the changes of the translations are always the translations', {
  timeout: searchTime(120_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 15, maxLength: 30 }), async (commands) => {
      const { at, device, translations } = await place()
      await settled(database())
      const first = await read(translations)
      let { revision } = first
      for (const each of commands) {
        const answer = await each(at)
        expect(answer.status).toBeLessThan(500)
        const now = await listed(device)
        expect(await logged(device)).toEqual(now)
        const next = (await read(translations)).revision
        expect(next).toBeGreaterThanOrEqual(revision)
        revision = next
      }
      await settled(database())
      const known = byText(first.entries)
      const { added, removed } = await read(`${translations}?since=${first.revision}`)
      for (const gone of byText(removed)) expect(known.delete(gone)).toBe(true)
      for (const come of byText(added)) known.add(come)
      expect([...known].sort()).toEqual([...byText((await read(translations)).entries)].sort())
    }),
    search(10),
  )
})
