import { z } from 'zod'
import { patternOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { noted } from '#lib/caller/kinds/notes.schema'
import { shown } from '#lib/ground/http/fields.schema'
import { linksOf, text } from '#lib/ground/http/input.schema'
import { changed, pageQuery, queryId } from '#lib/ground/http/paging'
import { tag } from '#lib/ground/http/tags.schema'
import { links } from '#lib/ground/http/view'

/** The scope that comes with the schema: unlimited in both dimensions, never changed, never deleted. */
export const GLOBAL_SCOPE = 1

export const scopeEntityTypes = ['ENTERPRISE', 'DATACENTER'] as const
export type ScopeEntityType = (typeof scopeEntityTypes)[number]

/** The fields that are columns. */
export const scopeFields = {
  name: text(1, 128),
  automaticAddDatacenter: z.boolean().default(false),
  automaticAddEnterprise: z.boolean().default(false),
  ...noted,
}

/** docs/api/scopes.md, "Scope documents". */
export const scopeDocument = z.object({
  links,
  id: z.int(),
  ...shown(scopeFields),
  scopeEntities: z.array(
    z.object({ links, id: z.int(), idResource: z.int(), type: z.enum(scopeEntityTypes) }),
  ),
})
export type ScopeDocument = z.infer<typeof scopeDocument>

const entityInput = z.object({
  idResource: z.int(),
  type: z.string().transform((type) => type.toUpperCase()),
})

/** Body of POST and PUT. Without `scopeParent` the scope has no parent. */
export const scopeInput = z.object({
  ...scopeFields,
  scopeEntities: z.array(entityInput).default([]),
  links: linksOf({ scopeParent: { path: patternOf(kinds.scope) } }),
})
export type ScopeInput = z.infer<typeof scopeInput>

/**
 * One node of the tree that the console shows. Roots are the visible scopes whose parent is not visible.
 * A search gives the hits (`match`) together with their visible ancestors.
 */
export const scopeTreeNode = z.object({
  links,
  id: z.int(),
  name: z.string(),
  parent: z.int().optional(),
  automaticAddDatacenter: z.boolean(),
  automaticAddEnterprise: z.boolean(),
  children: z.int(),
  enterprises: z.int(),
  datacenters: z.int(),
  users: z.int(),
  usersBelow: z.int().meta({ description: 'Users of the scopes below this one' }),
  match: z.boolean(),
})
export type ScopeTreeNode = z.infer<typeof scopeTreeNode>

/** Query of the tree. Its pages have a maximum size. */
export const treeQuery = pageQuery('name')
  .pick({ startwith: true, has: true })
  .extend({
    scope: queryId('scope').optional().meta({ description: 'Only this scope, as a node of the tree' }),
    parent: queryId('parent').optional(),
    enterprise: queryId('enterprise')
      .optional()
      .meta({ description: 'Only scopes that contain this enterprise, with their ancestors' }),
    changed,
    tag,
    limit: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, 'limit must be 1 to 999')
      .transform(Number)
      .default(100),
  })

const impactEntryTypes = ['ENTERPRISE', 'DATACENTER', 'USER', 'ROLE', 'TEMPLATE', 'PRIVILEGE'] as const
export type ImpactEntryType = (typeof impactEntryTypes)[number]

export const impactEntry = z.object({ links, type: z.enum(impactEntryTypes), id: z.int(), name: z.string() })
export type ImpactEntry = z.infer<typeof impactEntry>

const perList = <T extends z.ZodType>(schema: T) =>
  z.object({
    gained: schema,
    lost: schema,
    users: schema,
    roles: schema,
    templates: schema,
    enterprises: schema,
  })

export const impactRefusals = z.array(
  z.object({
    links,
    code: z.string(),
    message: z.string(),
    field: z.string().optional().meta({ description: 'The field, or the rel of the link, that it is about' }),
  }),
)

/** Maximum number of entries in each list of an impact. The total counts all. */
export const IMPACT_SHOWN = 100

/**
 * A preview of a change of a scope (docs/api/scopes.md, "Impact"): its refusals, the entities that the scope gains and loses, and the affected
 * resources: users whose visibility changes, roles and templates tied to the scope, enterprises with this default scope.
 */
export const scopeImpact = perList(z.array(impactEntry)).extend({
  links,
  refusals: impactRefusals,
  totals: perList(z.int()),
})
export type ScopeImpact = z.infer<typeof scopeImpact>
