import { describe, expect, test } from 'vitest'
import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import type { Maker } from '#lib/caller/auth/strategy.server'
import { transaction } from '#lib/db/db.server'
import { presentMaker } from '#lib/people/access-tokens/maker.server'
import { actFor } from '#lib/request/pipeline/inner.server'
import { newAccessToken, tokensOf } from '#lib/tools/testing/access-tokens'
import { call, expectStatus, newUser, ORIGIN } from '#lib/tools/testing/client'
import { newRole, putUser, readUser, relinked, roleLink, scopeLink } from '#lib/tools/testing/identity'
import { connect, register } from '#lib/tools/testing/oauth'
import { newScope } from '#lib/tools/testing/scopes'

const privilegesOf = async (maker: Maker): Promise<Privilege[] | undefined> => {
  const caller = await presentMaker(maker)
  return caller && [...caller.privileges].sort()
}

const grantOf = (user: number) =>
  transaction((trx) =>
    trx.selectFrom('oauth_tokens').where('user_id', '=', user).select('id').executeTakeFirstOrThrow(),
  )

describe('a maker is, at each moment, who they are then', () => {
  test('with the privileges and the scope that they have now', async () => {
    const user = await newUser({ privileges: ['USERS_VIEW', 'VDC_ENUMERATE'] })
    const maker = { user: user.id }
    expect(await privilegesOf(maker)).toEqual(['USERS_VIEW', 'VDC_ENUMERATE'])
    const [scope, role] = [
      await newScope({ enterprises: [user.enterpriseId] }),
      await newRole({ privileges: ['VDC_ENUMERATE'] }),
    ]
    const document = await readUser(user.id)
    const links = relinked(
      { links: relinked(document, 'role', roleLink(role)) },
      'scope',
      scopeLink(scope.id),
    )
    await expectStatus(200, putUser(document, { links }))
    expect(await privilegesOf(maker)).toEqual(['VDC_ENUMERATE'])
    expect((await presentMaker(maker))?.scope).toMatchObject({ id: scope.id, allEnterprises: false })
  })

  test.each(['active', 'locked'])('none, once the user may not sign in (%s)', async (field) => {
    const user = await newUser()
    const change = { [field]: field === 'locked' }
    await expectStatus(200, putUser(await readUser(user.id), change))
    expect(await presentMaker({ user: user.id })).toBeUndefined()
    expect(await actFor({ user: user.id }, async (_trx, acting) => acting)).toBeUndefined()
  })

  test('with privileges that their access token has too, and none once it has ended', async () => {
    const user = await newUser({ privileges: ['USERS_VIEW', 'VDC_ENUMERATE'] })
    const { id } = await newAccessToken(user, { privileges: ['VDC_ENUMERATE'] })
    const maker = { user: user.id, accessToken: id }
    expect(await privilegesOf(maker)).toEqual(['VDC_ENUMERATE'])
    const another = await newUser()
    expect(await presentMaker({ user: another.id, accessToken: id })).toBeUndefined()
    const expire = (at: number) =>
      transaction((trx) =>
        trx.updateTable('access_tokens').set({ expires_at: at }).where('id', '=', id).execute(),
      )
    await expire(Date.now() - 1)
    expect(await presentMaker(maker)).toBeUndefined()
    await expire(Date.now() + 60_000)
    expect(await presentMaker(maker)).toBeDefined()
    await expectStatus(204, call('DELETE', `${tokensOf(user)}/${id}`, { as: user }))
    expect(await presentMaker(maker)).toBeUndefined()
  })

  test('with privileges that their application has too, and none once it is revoked', async () => {
    const user = await newUser({ privileges: ['USERS_VIEW', 'VDC_ENUMERATE'] })
    const links = [
      {
        rel: 'privilege',
        href: `${ORIGIN}/api/config/privileges/${allPrivileges.indexOf('USERS_VIEW') + 1}`,
      },
    ]
    const application = await register(user, { links })
    await connect(application, user)
    const { id } = await grantOf(user.id)
    const maker = { user: user.id, oauthToken: id }
    expect(await privilegesOf(maker)).toEqual(['USERS_VIEW'])
    await transaction((trx) => trx.deleteFrom('oauth_tokens').where('id', '=', id).execute())
    expect(await presentMaker(maker)).toBeUndefined()
  })
})

describe('what acts for a maker', () => {
  test('is refused everything that they may not do now, and changes nothing', async () => {
    const user = await newUser({ privileges: ['USERS_VIEW'] })
    const act = actFor({ user: user.id }, async (_trx, acting) => {
      await acting?.operate({
        method: 'DELETE',
        path: `/admin/enterprises/${user.enterpriseId}/users/${user.id}`,
      })
    })
    await expect(act).rejects.toMatchObject({ status: 403 })
    const permit = actFor({ user: user.id }, async (_trx, acting) =>
      acting?.permit({ method: 'POST', path: '/admin/roles' }),
    )
    await expect(permit).rejects.toMatchObject({ status: 403 })
    await readUser(user.id)
  })
})
