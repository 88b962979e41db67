import { z } from 'zod'
import { links } from '#lib/http/view'

export const enterpriseDocument = z.object({
  links,
  id: z.int(),
  name: z.string(),
  twoFactorAuthenticationMandatory: z.boolean(),
})
export type EnterpriseDocument = z.infer<typeof enterpriseDocument>

export const userDocument = z.object({
  links,
  id: z.int(),
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
  privileges: z.array(z.string()).optional(),
})
export type UserDocument = z.infer<typeof userDocument>

export const roleDocument = z.object({ links, id: z.int(), name: z.string(), blocked: z.boolean() })
export type RoleDocument = z.infer<typeof roleDocument>

export const privilegeDocument = z.object({
  links,
  id: z.int(),
  name: z.string(),
  description: z.string(),
})
export type PrivilegeDocument = z.infer<typeof privilegeDocument>
