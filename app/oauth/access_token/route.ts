import { accessToken } from '#lib/entrance/oauth.server'

export const { GET, POST } = accessToken
