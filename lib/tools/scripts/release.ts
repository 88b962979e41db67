import { parseArgs } from 'node:util'
import { orEnd, ReleaseError } from '#lib/tools/release/ending'
import { release } from '#lib/tools/release/release'

const { positionals } = parseArgs({ allowPositionals: true })

await orEnd(async () => {
  const [version, ...more] = positionals
  if (version === undefined || more.length > 0)
    throw new ReleaseError('Name the version of the release: npm run release -- 2.1.0')
  await release(process.cwd(), version)
  process.stdout.write(`v${version} is tagged. Next: git push --follow-tags, and npm run package.\n`)
})
