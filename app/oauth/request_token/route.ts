import { requestToken } from '#lib/request/entrance/oauth.server'

export const { GET, POST } = requestToken
