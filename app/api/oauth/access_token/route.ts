import { accessToken } from '#lib/request/entrance/oauth.server'

export const { GET, POST } = accessToken
