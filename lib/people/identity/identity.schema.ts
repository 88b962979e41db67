import { z } from 'zod'
import { patternOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { noted } from '#lib/caller/kinds/notes.schema'
import { impactEntry, impactRefusals } from '#lib/caller/scopes/scopes.schema'
import { endsShown } from '#lib/ground/http/ends.schema'
import { shown, type Values } from '#lib/ground/http/fields.schema'
import { coded, linksOf, text } from '#lib/ground/http/input.schema'
import { secret } from '#lib/ground/http/secrets'
import { links } from '#lib/ground/http/view'
import type { UserFields } from '#lib/people/identity/users.schema'

/** The fields that are columns: of documents, inputs, tables, exports and plans. */
export const enterpriseFields = {
  name: text(1, 128),
  twoFactorAuthenticationMandatory: z.boolean().default(false),
  ...noted,
}
export type EnterpriseFields = Values<typeof enterpriseFields>

export const enterpriseDocument = z.object({ links, id: z.int(), ...shown(enterpriseFields) })
export type EnterpriseDocument = z.infer<typeof enterpriseDocument>

/** Body of POST and PUT. The scope link is the default scope. */
export const enterpriseInput = z.object({
  ...enterpriseFields,
  links: linksOf({ scope: { path: patternOf(kinds.scope) } }),
})
export type EnterpriseInput = z.infer<typeof enterpriseInput>

export const enterpriseProperties = z.object({ links, properties: z.record(z.string(), z.string()) })
export type EnterpriseProperties = z.infer<typeof enterpriseProperties>

const PROPERTIES = 256

export const enterprisePropertiesInput = z.object({
  properties: z
    .record(z.string(), text(0, 2048))
    .superRefine((properties, context) => {
      const keys = Object.keys(properties)
      const refuse = (issue: ReturnType<typeof coded>) =>
        context.addIssue({ code: 'custom', ...issue, input: properties })
      if (keys.length > PROPERTIES) refuse(coded('CONSTR-LENGTH', `must have ${PROPERTIES} entries at most`))
      for (const key of keys) {
        const { error } = text(1, 128).safeParse(key)
        for (const issue of error?.issues ?? []) {
          const { code } = (issue.code === 'custom' && issue.params) || {}
          refuse(
            coded(code ?? 'CONSTR-PATTERN', `the key ${JSON.stringify(key.slice(0, 64))} ${issue.message}`),
          )
        }
      }
    })
    .default({}),
})
export type EnterprisePropertiesInput = z.infer<typeof enterprisePropertiesInput>

/** The fields that are columns. */
export const shownUserFields = {
  nick: z.string(),
  name: z.string(),
  surname: z.string(),
  description: z.string(),
  email: z.string(),
  locale: z.string(),
  authType: z.string(),
  active: z.boolean(),
  firstLogin: z.boolean(),
  locked: z.boolean(),
  allowedCIDRs: z.array(z.string()),
  tags: z.array(z.string()),
  /** The user has not accepted their invitation yet, and cannot sign in. */
  invited: z.boolean(),
} satisfies Record<keyof UserFields, z.ZodType> & Record<string, z.ZodType>

export const userDocument = z.object({
  links,
  id: z.int(),
  ...shownUserFields,
  ends: endsShown,
  privileges: z.array(z.string()).optional(),
  /** The link of a new invitation, if it was not mailed. Shown once. */
  ...secret('invitation', z.string().optional()),
})
export type UserDocument = z.infer<typeof userDocument>

/** The number of users of a role or an enterprise, whose id it has. */
export const userCountDocument = z.object({ links, id: z.int(), users: z.int() })
export type UserCountDocument = z.infer<typeof userCountDocument>

export const roleFields = { name: text(1, 128), ...noted }
export type RoleFields = Values<typeof roleFields>

export const roleDocument = z.object({ links, id: z.int(), ...shown(roleFields), blocked: z.boolean() })
export type RoleDocument = z.infer<typeof roleDocument>

/** Body of POST and PUT. A PUT without privilege links leaves the privileges unchanged (docs/api/users.md, "Roles"). */
export const roleInput = z.object({
  ...roleFields,
  links: linksOf(
    { enterprise: { path: patternOf(kinds.enterprise) }, scope: { path: patternOf(kinds.scope) } },
    { privilege: { path: '/config/privileges/:id' } },
  ),
})
export type RoleInput = z.infer<typeof roleInput>

const perRoleList = <T extends z.ZodType>(schema: T) =>
  z.object({ gained: schema, lost: schema, users: schema })

/** A preview of a change of a role: its refusals, the privileges that its users gain and lose, and these users. */
export const roleImpact = perRoleList(z.array(impactEntry)).extend({
  links,
  refusals: impactRefusals,
  totals: perRoleList(z.int()),
})
export type RoleImpact = z.infer<typeof roleImpact>

export const privilegeDocument = z.object({
  links,
  id: z.int(),
  name: z.string(),
  description: z.string(),
})
export type PrivilegeDocument = z.infer<typeof privilegeDocument>

/** A background task of a user. */
export const taskDocument = z.object({ links, id: z.int(), type: z.string(), state: z.string() })
