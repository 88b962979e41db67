import { expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { errorView } from '#lib/ground/log.server'
import { router } from '#lib/tools/testing/client'

/* The log shows an error without personal data and secrets. */

const MARK = 'a marked secret'

const caught = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)

test('the row of a refused statement is not logged', async () => {
  await router()
  const row = { name: MARK, name_key: MARK, properties: '{}', two_factor_mandatory: 0 as const }
  const refused = await caught(
    transaction((trx) =>
      trx
        .insertInto('enterprises')
        // The column is not null: PostgreSQL then reports the whole row.
        .values({ ...row, default_scope_id: null as never })
        .execute(),
    ),
  )
  expect(refused).toBeInstanceOf(Error)
  expect(errorView(refused)).toMatchObject({ message: expect.stringMatching(/default_scope_id/) })
  expect(JSON.stringify(errorView(refused))).not.toContain(MARK)
})

test('the text that a parser quotes is not logged, also in a cause', () => {
  const parsing = () => JSON.parse(`{"password": ${MARK}}`) as unknown
  let quoted: unknown
  try {
    parsing()
  } catch (error) {
    quoted = error
  }
  expect(String(quoted)).toContain('marked')
  const logged = JSON.stringify(errorView(new Error('not read', { cause: quoted })))
  expect(logged).toContain('not read')
  expect(logged).toContain('SyntaxError')
  expect(logged).not.toContain('marked')
})

test('the address of a recipient that the mail server refused is not logged', () => {
  const refused = Object.assign(new Error('550 5.1.1 <ana@example.test>: no such user'), {
    code: 'EENVELOPE',
    rejected: ['ana@example.test'],
  })
  expect(errorView(refused)).toMatchObject({ code: 'EENVELOPE', message: '550 5.1.1 <…>: no such user' })
  expect(JSON.stringify(errorView(refused))).not.toContain('ana')
})
