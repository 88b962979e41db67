import { equal, match } from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '#lib/tools/scripts/package/machine'

/* A whole life of the packages on a Debian of its own, by apt and a repository that this host shows it as /apt. */

type Inside = Machine['inside']

const ENV = '/etc/cloud-console/console.env'
const GATEWAY_ENV = '/etc/cloud-console/gateway.env'
const packages = 'cloud-console cloud-console-gateway cloudctl'
const sources = `Types: deb
URIs: file:///apt
Suites: stable
Components: main
Signed-By: /etc/apt/keyrings/cloud-console.asc
`

let port = 3000

const ready = (inside: Inside): string =>
  inside(`curl --silent --fail --retry 40 --retry-all-errors --retry-delay 1 localhost:${port}/readyz`)

const signIn = (inside: Inside, password: string): string =>
  inside(
    `curl --silent --output /dev/null --write-out '%{http_code}' --user 'admin:${password}' localhost:${port}/api/login`,
  )

export type Life = {
  machine: Machine
  checked: (what: string) => void
  /** The versions of the packages, and of the old one that the repository has at first. */
  version: string
  debian: string
  old: string
  /** The folder of the repository, and what adds the new packages to it. */
  repository: string
  publish: () => void
}

export function checkLife(life: Life): void {
  const { machine, checked, debian, old, publish } = life
  const { inside, status } = machine
  inside(`rm -f /etc/apt/sources.list && mkdir -p /etc/apt/keyrings
    cp /apt/cloud-console.asc /etc/apt/keyrings/ && cat > /etc/apt/sources.list.d/cloud-console.sources <<'END'\n${sources}END`)
  checkSignature(life)
  const password = checkInstallation(life)
  inside(`sed -i 's/^#PORT=.*/PORT=3100/' ${ENV} && systemctl restart cloud-console`)
  port = 3100
  ready(inside)
  checked('a changed setting is read')
  checkBackups(life, password)
  const device = startGateway(life, password)
  inside('systemctl enable --now cloud-console-backup.timer')

  equal(versionOf(inside, 'cloud-console'), old)
  publish()
  inside(`apt-get update && apt-get install --yes --option Dpkg::Options::=--force-confold ${packages}`)
  ready(inside)
  for (const name of packages.split(' ')) equal(versionOf(inside, name), debian)
  equal(inside('cloudctl version').trim(), life.version)
  equal(signIn(inside, password), '200')
  equal(inside('systemctl is-enabled cloud-console-backup.timer').trim(), 'enabled')
  equal(inside(`systemctl is-active cloud-console-gateway@${device}`).trim(), 'active')
  carries(inside, device)
  match(inside(`cat ${GATEWAY_ENV}`), /\nGATEWAY_TOKEN=sat_\w+\n/)
  equal(inside(`stat --format %a ${GATEWAY_ENV}`).trim(), '600')
  equal(inside('dpkg-query --search /etc/cloud-console/gateway.env').split(':')[0], 'cloud-console-gateway')
  checked(
    `upgraded by apt from ${old}, which had all in one: data, settings, the timer and the gateway go on`,
  )

  inside(`apt-get remove --yes ${packages}`)
  equal(status('test -e /usr/lib/cloud-console || systemctl is-active cloud-console'), 3)
  equal(status(`systemctl is-active cloud-console-gateway@${device}`), 3)
  inside(`test -e ${ENV} && test -e ${GATEWAY_ENV} && test -e /var/lib/cloud-console/console.db`)
  inside(`apt-get purge --yes ${packages}`)
  equal(status('test -e /var/lib/cloud-console || test -e /etc/cloud-console'), 1)
  equal(inside('find /etc/systemd -name "*cloud-console*"'), '')
  equal(inside(`dpkg-query --show --showformat '\${Package} ' 'cloud*' 2>/dev/null || true`).trim(), '')
  inside('test -e /var/backups/cloud-console/a.db')
  checked('removed with settings and data kept; purged with backups kept')
}

const versionOf = (inside: Inside, name: string): string =>
  inside(`dpkg-query --show --showformat '\${Version}' ${name}`)

function checkSignature({ machine: { inside, status }, checked, repository }: Life): void {
  const file = join(repository, 'dists/stable/InRelease')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('Label: Cloud Console', 'Label: Another'))
  equal(status('apt-get update 2>&1 | grep -q "invalid: BADSIG"'), 0)
  writeFileSync(file, text)
  inside('apt-get update')
  checked('apt takes the repository by its key, and refuses it if a byte was changed')
}

function checkInstallation({ machine: { inside, status }, checked }: Life): string {
  match(
    inside('apt-get install --yes cloud-console'),
    /Password of the first administrator: cloud-console reset-password/,
  )
  ready(inside)
  equal(inside('systemctl is-enabled cloud-console').trim(), 'enabled')
  const pid = inside('systemctl show --property MainPID --value cloud-console').trim()
  equal(inside(`stat --format %U /proc/${pid}`).trim(), 'cloud-console')
  match(inside(`cat /proc/${pid}/status`), /CapBnd:\t0+\n[\s\S]*NoNewPrivs:\t1\nSeccomp:\t2\n/)
  equal(inside('stat --format "%a %U:%G" /var/lib/cloud-console').trim(), '700 cloud-console:cloud-console')
  equal(inside(`stat --format "%a %U:%G" ${ENV}`).trim(), '640 root:cloud-console')
  equal(status('systemctl is-failed cloud-console') === 0, false)
  checked(
    'installed: enabled, running as its own user without capabilities and with a filter for system calls',
  )

  const printed = /password (\S+) \(shown/.exec(inside('journalctl --unit cloud-console --output cat'))?.[1]
  const [, password = ''] = /is: (\S+) /.exec(inside('cloud-console reset-password --nick admin')) ?? []
  equal(signIn(inside, password), '200')
  equal(signIn(inside, printed ?? ''), '401')
  match(inside(`curl --silent --fail localhost:${port}/sign-in`), /_next\/static/)
  checked('the first administrator signs in with a new password, and the one of the log is not valid')
  return password
}

function checkBackups({ machine: { inside }, checked }: Life, password: string): void {
  inside('cloud-console backup /var/backups/cloud-console/a.db && systemctl stop cloud-console')
  equal(inside('systemctl show --property Result --value cloud-console').trim(), 'success')
  inside('cloud-console restore /var/backups/cloud-console/a.db && systemctl start cloud-console')
  ready(inside)
  equal(signIn(inside, password), '200')
  inside('systemctl start cloud-console-backup.service')
  match(inside('ls /var/backups/cloud-console'), /^daily-.+\.db$/m)
  checked('backup, stop, restore and start; the unit of the timer makes a backup')
}

/** Makes a device with a token, and starts its gateway by the unit. Returns the id of the device. */
function startGateway({ machine: { inside }, checked }: Life, password: string): number {
  const api = `http://127.0.0.1:${port}/api`
  const ask = <Answer>(method: string, path: string, body?: object): Answer =>
    JSON.parse(
      inside(`curl --silent --fail-with-body --user 'admin:${password}' --request ${method} ${api}${path} \\
        --header 'Accept: application/json' --header 'Content-Type: application/json' ${body ? `--data '${JSON.stringify(body)}'` : ''}`),
    ) as Answer
  type Document = { id: number; name: string }
  const { collection: types } = ask<{ collection: Document[] }>('GET', '/config/devicetypes?limit=0')
  const type = types.find(({ name }) => name === 'LINUX')?.id
  const { id: datacenter } = ask<Document>('POST', '/admin/datacenters', { name: 'Here', location: 'Here' })
  const { id: device } = ask<Document>('POST', `/cloud/locations/${datacenter}/devices`, {
    name: 'Gateway',
    links: [{ rel: 'devicetype', href: `${api}/config/devicetypes/${type}` }],
  })
  const privileges = ['PHYS_DC_RETRIEVE_DETAILS', 'MANAGE_DEVICES']
  const { token } = ask<{ token: string }>('POST', '/admin/enterprises/1/users/1/tokens', {
    name: 'Gateway',
    privileges,
  })
  inside(`sed -i 's|^GATEWAY_API=.*|GATEWAY_API=${api}|; s|^GATEWAY_TOKEN=.*|GATEWAY_TOKEN=${token}|' ${GATEWAY_ENV}
    systemctl enable --now cloud-console-gateway@${device}`)
  const read = `curl --silent --user 'admin:${password}' --header 'Accept: application/json' ${api}/cloud/locations/${datacenter}/devices/${device}/state`
  const unit = `cloud-console-gateway@${device}`
  match(
    inside(
      `for i in $(seq 120); do ${read} | grep insync && exit; sleep 0.5; done; ${read}; journalctl --unit ${unit} --lines 20`,
    ),
    /"status":"insync"/,
  )
  checked('a gateway that its unit runs is in sync with the console')
  return device
}

/** The gateway runs without any other capability than its own, and shows its metrics. */
function carries(inside: Inside, device: number): void {
  const settings = `/etc/cloud-console/gateway-${device}.env`
  inside(`install -m 600 /dev/null ${settings} && echo 'GATEWAY_OPTIONS="--metrics 9400"' > ${settings}
    systemctl restart cloud-console-gateway@${device}`)
  const metrics = inside(
    `for i in $(seq 60); do curl --silent localhost:9400/metrics | grep '^gateway_last_report_timestamp_seconds [1-9]' && exit; sleep 0.5; done; exit 1`,
  )
  match(metrics, /gateway_last_report/)
  const pid = inside(`systemctl show --property MainPID --value cloud-console-gateway@${device}`).trim()
  match(inside(`readlink /proc/${pid}/exe`), /^\/usr\/lib\/cloud-console-gateway\/bin\/node/)
  match(
    inside(`cat /proc/${pid}/status`),
    /CapEff:\t0000000000001000\nCapBnd:\t0000000000001000\n[\s\S]*NoNewPrivs:\t1\n/,
  )
}
