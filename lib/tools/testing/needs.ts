import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import {
  findChromium,
  findFirefox,
  findHeadlessShell,
  findPostgres,
  hasFonts,
} from '#lib/tools/testing/programs'

type Need = {
  name: string
  debian: string
  find: () => unknown
  /** Without it some tests are skipped. */
  isOptional?: true
  /** Only tests of `npm run test:all` use it. */
  isWhole?: true
}

const isProgram = (name: string): boolean =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((folder) =>
    existsSync(join(folder, name)),
  )

/** The requirements of the tests beyond the npm packages, and Debian's packages for them. */
const needs: Need[] = [
  { name: 'Chromium', debian: 'chromium', find: findChromium },
  {
    name: 'Chromium without windows',
    debian: 'chromium-headless-shell',
    find: () => findHeadlessShell() ?? (isDebian() ? undefined : findChromium()),
  },
  { name: 'Firefox', debian: 'firefox-esr', find: findFirefox },
  { name: 'The font Noto Sans', debian: 'fonts-noto-core', find: hasFonts },
  { name: 'PostgreSQL (initdb, postgres)', debian: 'postgresql', find: findPostgres },
  { name: 'zsh', debian: 'zsh', find: () => isProgram('zsh') },
  { name: 'fish', debian: 'fish', find: () => isProgram('fish'), isOptional: true },
  { name: 'nftables', debian: 'nftables', find: () => isProgram('nft'), isOptional: true },
  { name: 'conntrack', debian: 'conntrack', find: () => isProgram('conntrack'), isOptional: true },
  { name: 'iproute2', debian: 'iproute2', find: () => isProgram('ip'), isOptional: true },
  ...[
    { name: 'Ansible', debian: 'ansible-core', find: () => isProgram('ansible-playbook') },
    { name: 'ansible-lint', debian: 'ansible-lint', find: () => isProgram('ansible-lint') },
    { name: 'GnuPG', debian: 'gnupg', find: () => isProgram('gpg') },
    { name: 'reprepro', debian: 'reprepro', find: () => isProgram('reprepro') },
    { name: 'systemd-analyze', debian: 'systemd', find: () => isProgram('systemd-analyze') },
  ].map((need): Need => ({ ...need, isOptional: true, isWhole: true })),
]

/**
 * Installs missing packages if that needs no question. Returns a line for each one that is still missing and that may not be.
 * `isComplete`: no test may be skipped.
 */
export async function ensureNeeds(isWhole: boolean, isComplete: boolean): Promise<string[]> {
  const missing = await findMissing(isWhole)
  if (missing.length > 0 && isDebian() && process.getuid?.() === 0) {
    installFromDebian(missing.map(({ debian }) => debian))
  } else if (missing.some(({ find }) => find === findChromium)) {
    run('playwright', ['install', 'chromium'])
  }
  const left = (await findMissing(isWhole)).filter(({ isOptional }) => isComplete || !isOptional)
  return left.map(
    ({ name, debian }) => `${name} is missing: install it, on Debian by apt-get install ${debian}`,
  )
}

async function findMissing(isWhole: boolean): Promise<Need[]> {
  const used = needs.filter((need) => isWhole || !need.isWhole)
  const found = await Promise.all(used.map(({ find }) => find()))
  return used.filter((_, index) => !found[index])
}

const isDebian = () =>
  existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))

// Debian's PostgreSQL packages read it. Without it they create a cluster and start it, now and at each boot.
const clusterDefaults = '/etc/postgresql-common/createcluster.d/no-main-cluster.conf'

function installFromDebian(packages: string[]): void {
  mkdirSync(dirname(clusterDefaults), { recursive: true })
  writeFileSync(clusterDefaults, 'create_main_cluster = false\n')
  try {
    run('apt-get', ['update'])
    run('apt-get', ['install', '-y', '--no-install-recommends', ...packages])
  } finally {
    rmSync(clusterDefaults)
  }
}

function run(command: string, args: string[]): void {
  console.log(`> ${command} ${args.join(' ')}`)
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
}
