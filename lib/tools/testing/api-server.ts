import { createRequire } from 'node:module'

/*
 * `npm start` without the console's pages: nothing has to be built. With CHEAP_HASHES it hashes passwords at the least cost, as the tests do
 * in their own process (lib/tools/testing/worker.setup.ts).
 */

if (process.env.CHEAP_HASHES) {
  const argon2: typeof import('@node-rs/argon2') = createRequire(import.meta.url)('@node-rs/argon2')
  const { hash } = argon2
  const cheaply = { memoryCost: 8, timeCost: 1, parallelism: 1 }
  // The server imports the package afterwards.
  argon2.hash = (password, options, signal) => hash(password, { ...options, ...cheaply }, signal)
}

const { serve } = await import('#lib/server/serve.server')
await serve('#lib/tools/testing/no-pages')
