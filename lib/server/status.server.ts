import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isKnownDamaged } from '#lib/db/damage.server'
import { database } from '#lib/db/db.server'
import { readSchema } from '#lib/db/schema.server'
import { type Answer, answerOf } from '#lib/ground/http/answer.server'
import { ApiError } from '#lib/ground/http/errors'

export const { version } = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8')) as {
  version: string
}

const plain = (text: string, status = 200): Answer =>
  answerOf(text, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })

export const readVersion = async (): Promise<Answer> => plain(version)

/** Liveness: the process responds. */
export const readHealth = async (): Promise<Answer> => plain('ok')

/** Readiness: the database responds, no query has met damage, and this program may write the schema. */
export async function readReadiness(): Promise<Answer> {
  const schema = await readSchema(database()).catch(() => undefined)
  if (isKnownDamaged()) return plain('not ready: the database is damaged', 503)
  if (!schema) return plain('not ready', 503)
  return schema.isWritable ? plain('ready') : plain('not ready: the database belongs to a newer version', 503)
}

export const nothingHere = (): Promise<Answer> => Promise.reject(new ApiError('404-NOT-FOUND'))
