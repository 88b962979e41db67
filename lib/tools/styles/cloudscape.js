import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { unusedParts } from '../scripts/unused.js'

/* Cloudscape has a style sheet for each part of a component, and each would be a request of its own: a screen would wait
   for sixty of them. Those of the frame, the tables and the forms are gathered into one, with the console's theme. What only some screens
   use (charts, pickers of dates) still comes with those. The screens before the sign-in have none of them. */

const root = resolve(import.meta.dirname, '../../..')
const library = resolve(root, 'node_modules/@cloudscape-design/components')
const unused = unusedParts.map((file) => resolve(root, 'node_modules', file))

const importing = /(?:^|\n)\s*(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/g

/** The file behind an import, as far as it can lead to a style sheet of the library. */
function fileOf(path, from) {
  const own = path
    .replace('@cloudscape-design/components', library)
    .replace('#components', resolve(root, 'components'))
  const target = resolve(dirname(from), own)
  if (!/^[./]/.test(own)) return undefined
  return ['', '.js', '.tsx', '.ts', '/index.js']
    .map((ending) => target + ending)
    .find((file) => existsSync(file) && statSync(file).isFile())
}

/** The library's style sheets that these modules import, themselves or through others, in the order of the imports. */
function styleSheets(modules) {
  const seen = new Set(unused)
  const visit = (file) => {
    if (seen.has(file)) return
    seen.add(file)
    if (!/\.(js|tsx?)$/.test(file)) return
    for (const [, path] of readFileSync(file, 'utf8').matchAll(importing)) {
      const next = fileOf(path, file)
      if (next) visit(next)
    }
  }
  for (const file of modules) visit(resolve(root, file))
  return [...seen].filter((file) => file.startsWith(library) && file.endsWith('.css'))
}

const frame = styleSheets([
  'components/signed-in.tsx',
  'components/table/server-table.tsx',
  ...globSync('components/base/forms/*.tsx', { cwd: root }),
])

const loader = resolve(import.meta.dirname, 'gather.cjs')

const gathered = (files) => ({ loaders: [{ loader, options: { files } }], as: '*.css' })

/** Rules of Turbopack: a file `*.gathered` holds the style sheets, and where they are imported there is nothing any more. */
export const styleRules = {
  'frame.gathered': gathered([...frame, resolve(import.meta.dirname, 'theme.css')]),
  ...Object.fromEntries(
    frame.map((file) => [
      `**/${relative(resolve(root, 'node_modules'), file)}`,
      { loaders: [{ loader, options: { files: [] } }], as: '*.js' },
    ]),
  ),
}
