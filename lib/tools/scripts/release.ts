import { ReleaseError } from '#lib/tools/release/changelog'
import { release } from '#lib/tools/release/release'

const [version = ''] = process.argv.slice(2)

try {
  await release(process.cwd(), version)
  process.stdout.write(`v${version} is tagged. Next: git push --follow-tags, and npm run package.\n`)
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
