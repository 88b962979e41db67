import { createHash } from 'node:crypto'
import { transaction } from '#lib/db/db.server'
import { isDuplicate } from '#lib/db/dialect.server'
import { invalid } from '#lib/people/saml/answers.server'
import { CLOCK_SKEW } from '#lib/people/saml/service-provider.server'

/** Throws SignInProblem if the message was used before. The database decides between concurrent uses. */
export async function takeOnce(id: string, expires: number): Promise<void> {
  const hash = createHash('sha256').update(id).digest('base64url')
  try {
    await transaction((trx) =>
      trx
        .insertInto('used_assertions')
        .values({ id: hash, expires_at: expires + CLOCK_SKEW })
        .execute(),
    )
  } catch (error) {
    throw isDuplicate(error, 'used_assertions')
      ? invalid('the message was used before', 'invalid', 'answer')
      : error
  }
}
