import { CompiledQuery, sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { natIpOrders } from '#lib/cloud/nat/ips.schema'
import { natRuleOrders } from '#lib/cloud/nat/rules.schema'
import { database, transaction } from '#lib/db/db.server'
import { call, expectStatus } from '#lib/tools/testing/client'
import { networksPath } from '#lib/tools/testing/nat'
import { natSample } from '#lib/tools/testing/nat-sample'

const { datacenter } = await natSample()

/** The plan of a query, where PostgreSQL sorts only if no index has the order. */
async function planOf({ sql: text, parameters }: CompiledQuery): Promise<string> {
  const { engine, scan } = database()
  const explain = (prefix: string) => CompiledQuery.raw(`${prefix} ${text}`, [...parameters])
  if (engine === 'sqlite')
    return JSON.stringify((await scan.executeQuery(explain('explain query plan'))).rows)
  return transaction(async (trx) => {
    for (const way of ['sort', 'seqscan', 'bitmapscan'])
      await sql.raw(`set local enable_${way} = off`).execute(trx)
    return JSON.stringify((await trx.executeQuery(explain('explain'))).rows)
  })
}

test.each([...natIpOrders.map((by) => ['allips', by]), ...natRuleOrders.map((by) => ['allrules', by])])(
  '%s by %s are never sorted by the database',
  async (list, by) => {
    const asked = vi.spyOn(database().scan.getExecutor(), 'executeQuery')
    try {
      const path = `${networksPath(datacenter.id)}/action/${list}?by=${by}&limit=2`
      await expectStatus(200, call('GET', path))
      const queries = asked.mock.calls
        .map(([query]) => query)
        .filter((query) => /from "?nat_(ips|rules)/.test(query.sql) && query.sql.includes('order by'))
      asked.mockRestore()
      // The order of addresses is read a page at a time.
      if (by !== 'ip') expect(queries).not.toEqual([])
      for (const query of queries) expect(await planOf(query)).not.toMatch(/TEMP B-TREE|Sort/)
    } finally {
      asked.mockRestore()
    }
  },
)

test.each(['true', 'false'])('the list of rules with enabled=%s reads an index alone', async (enabled) => {
  // PostgreSQL reads the table too where it is not vacuumed.
  if (database().engine !== 'sqlite') return
  const asked = vi.spyOn(database().scan.getExecutor(), 'executeQuery')
  try {
    const path = `${networksPath(datacenter.id)}/action/allrules?limit=2&enabled=${enabled}`
    await expectStatus(200, call('GET', path))
    const queries = asked.mock.calls.flatMap(([query]) => (query.sql.includes('disabled_at') ? [query] : []))
    asked.mockRestore()
    expect(queries).not.toEqual([])
    for (const query of queries) {
      const plan = await planOf(query)
      expect(plan).toContain(
        `COVERING INDEX ${enabled === 'true' ? 'nat_rules_order' : 'nat_rules_disabled'} (datacenter_id=?`,
      )
      expect(plan).not.toContain('TEMP B-TREE')
    }
  } finally {
    asked.mockRestore()
  }
})
