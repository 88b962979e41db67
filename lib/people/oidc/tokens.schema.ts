import { z } from 'zod'
import { secret } from '#lib/ground/http/secrets'
import { links } from '#lib/ground/http/view'

/** `GET /api/session/tokens`: the provider's tokens, for the user's own use. */
export const providerTokens = z.object({
  links,
  ...secret('accessToken', z.string()),
  ...secret('refreshToken', z.string().optional()),
  /** The expiry of the access token, if the provider reports it. */
  expires: z.iso.datetime({ precision: 3 }).optional(),
})
export type ProviderTokens = z.infer<typeof providerTokens>
