import { randomBytes } from 'node:crypto'
import { unknownPassword } from '#lib/caller/auth/passwords.server'
import { allPrivileges, isPrivilege } from '#lib/caller/auth/privileges'
import type { Kind } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { ownLink } from '#lib/ground/http/view'
import { SERVICE } from '#lib/people/identity/users.schema'
import { asSent, type Fields } from '#lib/state/reconcile/sent'
import {
  perform,
  type Reconciling,
  type Step,
  underIds,
  type Wished,
} from '#lib/state/reconcile/steps.server'

/* Resources that are changed one by one, each by its operations. */

export type ResourceWish = Wished & {
  kind: Kind
  /** Its path below {api}. */
  is: string | null
  /** Made when the step runs: an earlier step may have created the resources that it names. */
  should: (() => Promise<Sent>) | null
  /** The number of scopes above a scope. */
  depth?: number
}

export type Sent = {
  /** The path of the list for new resources. */
  list?: string
  /** A role's `privileges` are their names. */
  document: Fields
  /** The document's links, apart from it if it can be made without them. */
  links?: () => Promise<NonNullable<Fields['links']>>
  /** The hash of a new user's password. Without it the user gets a random password. */
  hash?: string | undefined
  /** Writes the parts that no operation writes. */
  also?: () => Promise<unknown>
}

type Saved = ResourceWish & { should: () => Promise<Sent> }

const isSaved = (wish: ResourceWish): wish is Saved => wish.should !== null

/** The steps for resources of one kind. */
export function resourceSteps(context: Reconciling, wishes: readonly ResourceWish[]) {
  /** The paths of new resources that exist already, without their links. */
  const made = new Map<ResourceWish, string>()
  const byDepth = (sign: 1 | -1) => (one: ResourceWish, other: ResourceWish) =>
    sign * ((one.depth ?? 0) - (other.depth ?? 0))
  const step = (wish: ResourceWish, run: () => Promise<unknown>): Step => ({ about: wish.about, run })
  const saved = wishes.filter(isSaved).sort(byDepth(1))
  const removed = wishes.filter((wish) => !isSaved(wish)).sort(byDepth(-1))
  const createFirst = async (wish: Saved) => {
    const { href = '' } = ownLink(await create(context, wish, await wish.should())) ?? {}
    made.set(wish, href)
  }
  return {
    /** The scope of a new enterprise may contain it, so the enterprise is created first. */
    firsts: saved
      .filter(({ kind, is }) => kind === kinds.enterprise && is === null)
      .map((wish) => step(wish, () => createFirst(wish))),
    saves: saved.map((wish) => ({
      ...step(wish, () => save(context, wish, made.get(wish))),
      ...(wish.kind === kinds.scope && wish.is !== null && { detour: () => detach(context, wish) }),
    })),
    removals: removed.map((wish) =>
      step(wish, () => perform(context, wish, { method: 'DELETE', path: wish.is ?? '' })),
    ),
  }
}

async function save(context: Reconciling, wish: Saved, made: string | undefined): Promise<void> {
  const sent = await wish.should()
  const { links, also } = sent
  const document = withPrivileges(links ? { ...sent.document, links: await links() } : sent.document)
  const path = wish.is ?? made
  if (path === undefined) await create(context, wish, { ...sent, document })
  else if (wish.is !== null || links)
    await perform(context, wish, { method: 'PUT', path, document, prepared: privilegesIn(sent.document) })
  await also?.()
}

const privilegesIn = ({ privileges }: Fields) =>
  Array.isArray(privileges) ? { privileges: privileges.filter(isPrivilege) } : undefined

/** The API has the privileges of a role as links. A document without any leaves them as they are, so they are sent in `prepared` too. */
function withPrivileges({ privileges, ...document }: Fields): Fields {
  const links = privilegesIn({ privileges })?.privileges.map((name, index) => ({
    rel: `privilege${index}`,
    href: `/api/config/privileges/${allPrivileges.indexOf(name) + 1}`,
  }))
  return links ? { ...document, links: [...(document.links ?? []), ...links] } : document
}

/** The prepared hash decides a user's password, whatever the document contains. */
async function create(
  context: Reconciling,
  wish: ResourceWish,
  { list: path = '', document, hash }: Sent,
): Promise<unknown> {
  const isPerson = wish.kind === kinds.user && document.authType !== SERVICE
  const password = randomBytes(32).toString('base64url')
  const prepared = { hash: hash ?? (await unknownPassword()) }
  const inner = { method: 'POST', path, document } as const
  return underIds({ context, wishes: [wish] }, () =>
    perform(context, wish, isPerson ? { ...inner, document: { ...document, password }, prepared } : inner),
  )
}

/** Moves the scope to the root first, so that two scopes can swap parents. */
async function detach({ operate }: Reconciling, { is: path }: ResourceWish): Promise<void> {
  if (path === null) return
  const { links = [], ...scope } = (await operate({ method: 'GET', path })) as Fields
  const document = asSent({ ...scope, links: links.filter(({ rel }) => rel !== 'scopeParent') })
  await operate({ method: 'PUT', path, document })
}
