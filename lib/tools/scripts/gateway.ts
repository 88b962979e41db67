import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runGateway } from '#lib/gateway/gateway'
import { errorText, logTo } from '#lib/gateway/log'
import { plainHttpRefusal, withoutSlashes } from '#lib/ground/net/loopback'

/*
 * `npm run gateway -- --api URL --device ID`, installed as `cloud-console-gateway`: applies the NAT rules of a device on this machine
 * (docs/gateway.md).
 */

const usage = `Usage: gateway --api URL --device ID [--watch] [--interval SECONDS] [--announce DEVICE]
               [--metrics PORT] [--insecure]

  --api URL            the address of the API, with /api
  --device ID          the id of the device whose NAT this machine carries
  --watch              reads and reports, and writes nothing
  --interval SECONDS   how often the table is compared and reported; 10 if not given
  --announce DEVICE    adds the NAT IPs as addresses of this network device
  --metrics PORT       answers GET /metrics on 127.0.0.1, for Prometheus
  --insecure           sends the token to an http address of another machine, where others could read it
  --help               shows this

The access token is read from GATEWAY_TOKEN. Needs root or CAP_NET_ADMIN, nft and conntrack.
`

const tell = (line: string): void => void process.stderr.write(`${line}\n`)

function refuse(reason: string): never {
  tell(`gateway: ${reason}`)
  process.stderr.write(usage)
  process.exit(2)
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        api: { type: 'string' },
        device: { type: 'string' },
        watch: { type: 'boolean', default: false },
        interval: { type: 'string', default: '10' },
        announce: { type: 'string' },
        metrics: { type: 'string' },
        insecure: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

const { api = '', device = '', watch, interval, announce, metrics, insecure, help } = readArguments()
if (help) {
  process.stdout.write(usage)
  process.exit(0)
}
const token = process.env.GATEWAY_TOKEN?.trim() ?? ''
if (!/^https?:\/\/\S+$/.test(api) || !URL.canParse(api))
  refuse('--api must be an address, such as https://console.example.com/api')
if (!/^[1-9]\d*$/.test(device)) refuse('--device must be the id of a device')
if (!/^[1-9]\d{0,3}$/.test(interval)) refuse('--interval must be 1 to 9999 seconds')
if (announce !== undefined && !/^[\w.-]{1,15}$/.test(announce)) refuse('--announce must be a network device')
if (metrics !== undefined && !(/^[1-9]\d{0,4}$/.test(metrics) && Number(metrics) <= 65_535))
  refuse('--metrics must be a port, 1 to 65535')
if (new URL(api).username || new URL(api).password) refuse('--api must have no user and no password')
if (token === '') refuse('GATEWAY_TOKEN is not set')
// The error of fetch about such a token would show it in the log.
if (!/^[!-~]+$/.test(token)) refuse('GATEWAY_TOKEN must be one word')
const plain = insecure ? undefined : plainHttpRefusal(api)
if (plain !== undefined) {
  tell(`gateway: ${plain}`)
  process.exit(2)
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const log = logTo((text) => void process.stdout.write(text), { device: Number(device) })
const settings = {
  api: { url: withoutSlashes(api), token, device: Number(device) },
  place: { enter: [], table: `cloud_nat_${device}` },
  isWatching: watch,
  interval: Number(interval),
  announced: announce,
  metricsPort: metrics === undefined ? undefined : Number(metrics),
  version,
  log,
  signal: stop.signal,
}
log('info', `gateway of device ${device}, ${watch ? 'watching' : 'enforcing'}, with ${api}`, { version })
try {
  await runGateway(settings)
} catch (error) {
  log('error', errorText(error))
  process.exitCode = 1
}
