import { resolve } from 'node:path'

/* What libraries bring to the browser and the console never runs. The build drops it: docs/performance.md tells what that saves, and
   e2e/start.e2e.ts fails when a new version moves these files, so that they come back. */

// Only the server describes schemas.
const unused = ['zod/v4/core/to-json-schema.js', 'zod/v4/core/json-schema-processors.js']

const loader = resolve(import.meta.dirname, 'hollow.cjs')

/** Rules of Turbopack. */
export const unusedRules = Object.fromEntries(
  unused.map((file) => [`**/${file}`, { condition: 'browser', loaders: [loader] }]),
)
