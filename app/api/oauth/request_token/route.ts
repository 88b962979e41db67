import { requestToken } from '#lib/entrance/oauth.server'

export const { GET, POST } = requestToken
