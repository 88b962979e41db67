import { allPrivileges, type Privilege } from '#lib/caller/auth/privileges'
import { fold } from '#lib/db/fold'
import type { Random } from '#lib/tools/sample/random'
import { activeUsers, idOf, nickOf, PLATFORM, type Scene } from '#lib/tools/sample/scenes.server'
import * as story from '#lib/tools/sample/story'
import type { Visit } from '#lib/tools/sample/visits.server'

type Passwords = { password: string; password_hash: string }

/** People join, get roles, turn on two factor, mistype their password, and sign in every day. */
export const peopleScenes = async (random: Random, passwords: Passwords): Promise<Scene[]> => [
  ...joining(passwords),
  ...roleScenes(),
  ...story.twoFactor.map(
    (one): Scene => ({
      day: one.day,
      hour: 14,
      play: async ({ visit }) =>
        visit(
          'nick' in one ? one.nick : await nickOf(one.enterprise, 'ENTERPRISE_ADMIN'),
          ({ enableTwoFactor }) => enableTwoFactor(),
        ),
    }),
  ),
  ...story.strangers.map(
    ({ day, address, attempts }): Scene => ({
      day,
      hour: 3,
      play: async ({ refuse }) => {
        for (let attempt = 0; attempt < attempts; attempt += 1) await refuse('root', address)
      },
    }),
  ),
  ...(await everyDay(random)),
]

const nickFor = ({ name, surname }: { name: string; surname: string }): string =>
  `${fold(name)}.${fold(surname).normalize('NFD').replace(/\p{M}/gu, '')}`

/** New users, who choose their own password when they first sign in. */
const joining = ({ password, password_hash }: Passwords): Scene[] =>
  story.madeUsers.flatMap(({ day, enterprise, ...person }): Scene[] => {
    const nick = nickFor(person)
    const { name, surname } = person
    const made: Scene = {
      day,
      hour: 9,
      play: async ({ visit }) => {
        const path = `/admin/enterprises/${await idOf('enterprises', enterprise)}/users`
        const links = [{ rel: 'role', href: `/api/admin/roles/${await idOf('roles', 'USER')}` }]
        const body = { nick, name, surname, email: `${nick}@example.com`, password, links }
        await visit(await nickOf(enterprise, 'ENTERPRISE_ADMIN'), ({ send }) => send('POST', path, body))
      },
    }
    if (!('signsIn' in person)) return [made]
    const first: Scene = {
      day: day - person.signsIn,
      hour: 8,
      play: ({ visit }) => visit(nick, ({ choosePassword }) => choosePassword(password_hash)),
    }
    return [made, first]
  })

const roleScenes = (): Scene[] => [
  byPlatform(story.madeRole.day, ({ send }) =>
    send('POST', '/admin/roles', {
      name: story.madeRole.name,
      links: story.madeRole.privileges.map(privilegeLink),
    }),
  ),
  byPlatform(story.grownRole.day, async ({ send }) => {
    const id = await idOf('roles', story.grownRole.name)
    const privileges = [...story.madeRole.privileges, story.grownRole.privilege]
    await send('PUT', `/admin/roles/${id}`, {
      ...(await send('GET', `/admin/roles/${id}`)),
      links: privileges.map(privilegeLink),
    })
  }),
  ...story.changedRoles.map(({ day, enterprise, to }) =>
    byPlatform(day, (visit) => changeRole(visit, enterprise, to)),
  ),
]

const byPlatform = (day: number, act: (visit: Visit) => Promise<unknown>): Scene => ({
  day,
  hour: 13,
  play: ({ visit }) => visit(PLATFORM, act),
})

const privilegeLink = (privilege: Privilege, index: number) => ({
  rel: `privilege${index}`,
  href: `/api/config/privileges/${allPrivileges.indexOf(privilege) + 1}`,
})

/** Gives the viewer of an enterprise another role. */
async function changeRole({ send }: Visit, enterprise: string, to: string): Promise<void> {
  const users = await activeUsers()
  const viewer = users.find((user) => user.enterprise === enterprise && /VIEWER|AUDITOR/.test(user.role))
  if (!viewer) throw new Error(`${enterprise} has no viewer`)
  const path = `/admin/enterprises/${viewer.enterprise_id}/users/${viewer.id}`
  const user = await send('GET', path)
  const role = { rel: 'role', href: `/api/admin/roles/${await idOf('roles', to)}` }
  await send('PUT', path, { ...user, links: [...user.links.filter(({ rel }) => rel !== 'role'), role] })
}

/** Every user signs in now and then, one or two a day. Some mistype their password first. */
async function everyDay(random: Random): Promise<Scene[]> {
  const users = (await activeUsers()).map(({ nick }) => nick)
  const days = Array.from({ length: story.DAYS }, (_, index) => story.DAYS - index)
  return days.flatMap((day) =>
    Array.from({ length: 1 + random.below(2) }, (_, turn): Scene => {
      const nick = users[(day * 11 + turn * 31) % users.length] ?? ''
      const { every, from, until } = story.mistypes
      const mistypes = turn === 0 && day <= from && day >= until && (from - day) % every === 0
      const signsOut = random.chance(0.4)
      return {
        day,
        hour: 7 + random.below(12),
        play: async ({ visit, refuse }) => {
          if (mistypes) await refuse(nick, `10.20.0.${day}`)
          await visit(nick, async ({ send }) => signsOut && send('POST', '/logout'))
        },
      }
    }),
  )
}
