import { resolve } from 'node:path'

/* What libraries bring to the browser and the console never runs. The build drops it: docs/performance.md tells what that saves, and
   e2e/start.e2e.ts fails when a new version moves these files, so that they come back. */

const layout = '@cloudscape-design/components/app-layout/visual-refresh-toolbar'

/** Cloudscape's panels beside the content. The frame has none; one of them brings a list that is sorted by dragging (dnd-kit). */
export const unusedParts = [
  `${layout}/drawer/feature-notifications-drawer-content.js`,
  `${layout}/drawer/global-ai-drawer.js`,
  `${layout}/drawer/global-bottom-drawer.js`,
  `${layout}/drawer/global-drawer.js`,
  `${layout}/drawer/local-drawer.js`,
  '@cloudscape-design/components/internal/do-not-use/feature-prompt/index.js',
]

const unused = [
  ...unusedParts,
  // Cloudscape's messages are parsed already.
  '@formatjs/icu-messageformat-parser/lib/parser.js',
  // Only the server describes schemas.
  'zod/v4/core/to-json-schema.js',
  'zod/v4/core/json-schema-processors.js',
]

const loader = resolve(import.meta.dirname, 'hollow.cjs')

/** Rules of Turbopack. */
export const unusedRules = Object.fromEntries(
  unused.map((file) => [`**/${file}`, { condition: 'browser', loaders: [loader] }]),
)
