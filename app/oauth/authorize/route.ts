import { authorize } from '#lib/request/entrance/oauth.server'

export const { GET, POST } = authorize
