import { authorize } from '#lib/entrance/oauth.server'

export const { GET, POST } = authorize
