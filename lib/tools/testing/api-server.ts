import { serve } from '#lib/server/serve.server'

/* `npm start` without the console's pages: nothing has to be built. */

await serve('#lib/tools/testing/no-pages')
