import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { routeFilePatterns } from '#lib/request/pipeline/routes.server'
import type { Release } from '#lib/tools/scripts/package/build'
import { neededPackages } from '#lib/tools/scripts/package/needed'

/** Files of the checkout and of the build that the installed program reads, or that its operator does. */
const shipped = [
  '.next/**',
  ...routeFilePatterns,
  'deploy/{Caddyfile,alerts.yaml,console.env,gateway.env,haproxy.cfg,nginx.conf}',
  'deploy/container/**',
  'docs/**',
  'lib/**/*.{ts,json}',
  'lib/tools/scripts/run.js',
  'public/**',
  ...['package.json', 'next.config.js', 'CHANGELOG.md', 'SECURITY.md'],
]

/** Commands of `bin/cloud-console`, `bin/cloudctl`, and the modules that they share. The other scripts are for development. */
const scripts =
  '{start,worker,sample,backup,restore,reset-*,verify-events,gateway,on-file,recovery,cli,cli/*}.ts'

const left = [
  '.next/{build,cache,diagnostics,turbopack,types}/**',
  '.next/{trace,trace-build,required-server-files.js,*.nft.json}',
  '.next/**/*.map',
  '**/*.test.ts',
  '**/*.queries.ts',
  'lib/client/**',
  'lib/tools/{bench,styles,testing}/**',
]

export function shippedFiles(source: string): string[] {
  const all = globSync(shipped, { cwd: source, exclude: [...left, 'lib/tools/scripts/**/*.ts'] })
  return [...all, ...globSync(`lib/tools/scripts/${scripts}`, { cwd: source, exclude: left })]
    .filter((file) => statSync(join(source, file)).isFile())
    .sort()
}

/** Parts of packages that only a build, an editor or a reader of the package uses. */
const unused = [
  '**/*.{map,flow,html,markdown,d.ts,d.mts,d.cts}',
  '**/.*',
  '**/!(*LICEN[CS]E*|*NOTICE*).md',
  '{*,@*/*}/{test,tests,__tests__,benchmark,benchmarks,example,examples}',
  'next/dist/{bundle-analyzer,docs,esm}',
]

/** Fills `root` with the program as it is installed. */
export function collect(source: string, root: string, { arch }: Release): void {
  const files = shippedFiles(source)
  const packages = neededPackages(source, files)
  for (const path of [...files, ...packages]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    cpSync(join(source, path), join(root, path), { recursive: true })
  }
  const modules = join(root, 'node_modules')
  for (const path of globSync(unused, { cwd: modules }))
    rmSync(join(modules, path), { recursive: true, force: true })
  const node = join(source, `node_modules/node-linux-${arch}`)
  cpSync(join(source, 'deploy/bin'), join(root, 'bin'), { recursive: true })
  cpSync(join(node, 'bin/node'), join(root, 'bin/node'))
  cpSync(join(node, 'LICENSE'), join(root, 'bin/node.LICENSE'))
  settleBuild(join(root, '.next'), source)
}

/** No text of a request equals it: headers are Latin-1, and a cookie's percent encoding cannot spell half a surrogate pair. */
const UNMATCHABLE = '\ud800'

/* Next makes three random keys for each build. They differ from build to build, and as published constants they would be worthless.
   Nothing here uses them, so the packaged build has values that open nothing: the id of draft mode matches no cookie or header, and
   the key of server actions cannot be imported. Neither feature exists in this program; if one is added, it fails at once. */
const preview = {
  previewModeId: UNMATCHABLE,
  previewModeSigningKey: UNMATCHABLE,
  previewModeEncryptionKey: UNMATCHABLE,
}

const json = (file: string) => z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')))

function settleBuild(next: string, source: string): void {
  const change = (name: string, changed: object): void => {
    const file = join(next, name)
    writeFileSync(file, JSON.stringify({ ...json(file), ...changed }))
  }
  change('prerender-manifest.json', { preview })
  change('server/preview-props.json', preview)
  change('server/server-reference-manifest.json', { encryptionKey: '' })
  const actions = readFileSync(join(next, 'server/server-reference-manifest.json'), 'utf8')
  writeFileSync(
    join(next, 'server/server-reference-manifest.js'),
    `self.__RSC_SERVER_MANIFEST=${JSON.stringify(actions)}`,
  )
  const built = join(next, 'required-server-files.json')
  writeFileSync(built, readFileSync(built, 'utf8').replaceAll(source, '.'))
}
