import { expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { errorView } from '#lib/log.server'
import { router } from '#lib/testing/client'

/* What the log holds of an error. */

const MARK = 'a marked secret'

const caught = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)

test('a statement that the database refuses leaves the row that it would have written out of the log', async () => {
  await router()
  const row = { name: MARK, name_key: MARK, properties: '{}', two_factor_mandatory: 0 as const }
  const refused = await caught(
    transaction((trx) =>
      trx
        .insertInto('enterprises')
        // The column takes no null: PostgreSQL then tells the whole row.
        .values({ ...row, default_scope_id: null as never })
        .execute(),
    ),
  )
  expect(refused).toBeInstanceOf(Error)
  expect(errorView(refused)).toMatchObject({ message: expect.stringMatching(/default_scope_id/) })
  expect(JSON.stringify(errorView(refused))).not.toContain(MARK)
})

test('what a parser says of a text is left out, also as a cause', () => {
  const parsing = () => JSON.parse(`{"password": ${MARK}}`) as unknown
  let quoted: unknown
  try {
    parsing()
  } catch (error) {
    quoted = error
  }
  expect(String(quoted)).toContain('marked')
  const told = JSON.stringify(errorView(new Error('not read', { cause: quoted })))
  expect(told).toContain('not read')
  expect(told).toContain('SyntaxError')
  expect(told).not.toContain('marked')
})

test('a mail server that refuses a recipient does not bring their address into the log', () => {
  const refused = Object.assign(new Error('550 5.1.1 <ana@example.test>: no such user'), {
    code: 'EENVELOPE',
    rejected: ['ana@example.test'],
  })
  expect(errorView(refused)).toMatchObject({ code: 'EENVELOPE', message: '550 5.1.1 <…>: no such user' })
  expect(JSON.stringify(errorView(refused))).not.toContain('ana')
})
