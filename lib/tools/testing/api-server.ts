import { createRequire } from 'node:module'
import { cheapHash } from '#lib/tools/testing/settings'

/*
 * `npm start` without the console's pages: nothing has to be built. With CHEAP_HASHES it hashes passwords at the least cost, as the tests do
 * in their own process (lib/tools/testing/worker.setup.ts).
 */

if (process.env.CHEAP_HASHES) {
  const argon2: typeof import('@node-rs/argon2') = createRequire(import.meta.url)('@node-rs/argon2')
  const { hash } = argon2
  // The server imports the package afterwards.
  argon2.hash = (password, options, signal) => hash(password, { ...options, ...cheapHash }, signal)
}

const { serve } = await import('#lib/server/serve.server')
await serve({ pages: '#lib/tools/testing/no-pages' })
