import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReleaseError, requirePrograms } from '#lib/tools/release/ending'
import { run } from '#lib/tools/scripts/package/build'

/* A repository of the Debian packages for apt, by reprepro. It is always signed: apt refuses an unsigned one. */

const gpg = (...args: string[]): string =>
  execFileSync('gpg', ['--batch', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

/** The fingerprint of a key that can sign. Throws ReleaseError if there is none, or no reprepro. */
export function signingKey(id: string): string {
  requirePrograms(['reprepro', 'gpg'], 'reprepro gnupg')
  const { stdout } = spawnSync('gpg', ['--batch', '--with-colons', '--list-secret-keys', '--', id], {
    encoding: 'utf8',
  })
  const keys = stdout.split(/^(?=sec:)/m).filter((record) => record.startsWith('sec:'))
  // GnuPG's doc/DETAILS: field 12 has a capital S if the key can sign now, so neither has expired nor is revoked.
  const usable = keys.find((record) => record.split(':')[11]?.includes('S'))
  const [, fingerprint] = /^fpr:+([0-9A-F]+):/m.exec(usable ?? '') ?? []
  if (fingerprint === undefined)
    throw new ReleaseError(
      `--sign: ${keys.length > 0 ? `the key ${id} has expired, is revoked or cannot sign` : `gpg has no secret key ${id}`}. List your keys: gpg --list-secret-keys`,
    )
  return fingerprint
}

const distribution = (fingerprint: string): string => `Origin: Cloud Console
Label: Cloud Console
Suite: stable
Codename: stable
Architectures: amd64 arm64
Components: main
Description: Packages of the cloud console
SignWith: ${fingerprint}
`

/** Adds the packages to the repository in the folder, or begins it. A version that is there already must have the same bytes. */
export function writeRepository(folder: string, packages: readonly string[], fingerprint: string): void {
  mkdirSync(join(folder, 'conf'), { recursive: true })
  writeFileSync(join(folder, 'conf/distributions'), distribution(fingerprint))
  run('reprepro', ['--silent', '--basedir', folder, 'includedeb', 'stable', ...packages], folder)
  writeFileSync(join(folder, 'cloud-console.asc'), gpg('--armor', '--export', fingerprint))
}
