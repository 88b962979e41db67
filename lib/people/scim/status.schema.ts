import { z } from 'zod'
import { links } from '#lib/ground/http/view'

/** `GET /api/config/scim`: for administrators who connect a directory. */
export const scimStatus = z.object({
  links,
  /** The address to enter in the directory. */
  address: z.string(),
  /** The access tokens that were used for SCIM, the last one first. */
  tokens: z.array(
    z.object({
      links,
      id: z.int(),
      name: z.string(),
      user: z.string(),
      lastUsed: z.string(),
      expires: z.string(),
    }),
  ),
  /** The last requests that were refused, the last one first. */
  refusals: z.array(
    z.object({
      links,
      id: z.int(),
      refused: z.string(),
      user: z.string(),
      /** The name of the access token, if there was one and it still exists. */
      token: z.string().optional(),
      method: z.string(),
      /** The path, with words in brackets for ids. */
      path: z.string(),
      status: z.int(),
      code: z.string(),
      message: z.string(),
    }),
  ),
})
export type ScimStatus = z.infer<typeof scimStatus>
