import { serve } from '#lib/server/serve.server'

await serve()
