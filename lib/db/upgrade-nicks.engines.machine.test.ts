import { expect, onTestFinished, test } from 'vitest'
import { hashPassword } from '#lib/caller/auth/passwords.server'
import { ask, startApi, statusOf } from '#lib/tools/testing/api-process'
import { fillAt, ownDatabase } from '#lib/tools/testing/own-database'

test('the upgrade of an old database keeps nicks that look alike, and logs them', {
  timeout: 60_000,
}, async () => {
  const password = 'a password of the first days'
  const hash = await hashPassword(password)
  const nicks = ['olga', 'Olga', 'OLGA', 'olga\u200b', 'piet']
  const settings = await ownDatabase()
  await fillAt(settings, 1, [
    `insert into enterprises (id, name, name_key, default_scope_id, two_factor_mandatory, properties)
      values (7, 'Old', 'old', 1, 0, '{}')`,
    `insert into roles (id, name, name_key, blocked) values (5, 'Everything', 'everything', 0)`,
    ...nicks.map(
      (
        nick,
        index,
      ) => `insert into users (id, enterprise_id, role_id, nick, nick_key, name_key, search_key, name,
        surname, description, email, locale, auth_type, active, locked, first_login, password_hash, token_epoch,
        allowed_cidrs, two_factor_step) values (${index + 1}, 7, 5, '${nick}', '${nick}', 'o', 'o', 'O', '', '', '',
        'en_US', 'LOCAL', 1, 0, 0, '${hash}', 0, '[]', 0)`,
    ),
  ])
  const api = await startApi(settings, { LOG_LEVEL: 'warn' })
  onTestFinished(async () => {
    await api.stop()
  })
  for (const nick of nicks)
    expect([nick, await statusOf(ask(api, '/api/login', { as: { nick, password } }))]).toEqual([nick, 200])
  const reported = api.lines
    .filter((line) => line.includes('look alike'))
    .map((line) => JSON.parse(line).nicks)
  expect(reported).toEqual([
    ['olga', 'Olga'],
    ['olga', 'OLGA'],
    ['olga', 'olga\u200b'],
  ])
})
