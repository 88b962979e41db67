import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDemo, startOver, tell } from '#lib/tools/scripts/demo-cloud'
import { LabCloud, NAT_IPS } from '#lib/tools/testing/gateway/cloud'
import { Lab, machines, obstacle } from '#lib/tools/testing/gateway/lab'

/* `npm run demo:gateway`: the demo, and beside it a client, a gateway and two machines in network namespaces. The rules that are made in the console
   carry packets there. */

const reason = obstacle()
if (reason !== undefined) {
  process.stderr.write(`demo:gateway: ${reason}\n`)
  process.exit(1)
}

/** Milliseconds until a gateway that was killed is started again, as systemd does it. */
const AGAIN = 2000

const stop = new AbortController()
const socket = join(tmpdir(), `demo-gateway-${process.pid}.sock`)
const lab = new Lab()
let isServing = false
const end = () => {
  stop.abort()
  lab.removeNow()
  rmSync(socket, { force: true })
}
// Set before there are namespaces, so that an interruption at any moment removes the existing ones. The server ends by itself at SIGINT and
// SIGTERM, once its requests are done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    end()
    if (!isServing || signal === 'SIGHUP') process.exit(1)
  })
process.once('exit', end)
await lab.open()

const { admin, password, directory } = await openDemo()
const { serve } = await import('#lib/server/serve.server')
await serve()
isServing = true
const port = Number(process.env.PORT ?? 3000)
const cloud = new LabCloud({
  url: `http://127.0.0.1:${port}/api`,
  authorization: `Basic ${Buffer.from(`${admin}:${password}`).toString('base64')}`,
})
const { device, token } = await cloud.make()
await lab.bridge(port, socket, port)
await lab.serve('client', [8000])

async function keepGateway(): Promise<void> {
  const run = join(import.meta.dirname, 'run.js')
  const address = ['--api', `http://127.0.0.1:${port}/api`, '--device', String(device)]
  while (!stop.signal.aborted) {
    const gateway = lab.start('gateway', [process.execPath, run, 'gateway', ...address], {
      env: { GATEWAY_TOKEN: token },
    })
    tell(`[gateway] process ${gateway.pid}`)
    gateway.stdout?.on('data', (piece) => process.stdout.write(`[gateway] ${piece}`))
    await once(gateway, 'exit')
    if (stop.signal.aborted) return
    tell('[gateway] ended; starting it again')
    await new Promise((resolve) => setTimeout(resolve, AGAIN))
  }
}
void keepGateway()

const inside = (node: 'client' | 'gateway' | 'one', command: string) =>
  `  ip netns exec ${lab.name(node)} ${command}`
tell(
  '',
  `Sign in as ${admin} with the password: ${password}`,
  `Datacenters › Gateway lab › NAT networks › Gateway lab › Rules › Create rule: the machine "one", DNAT, ${NAT_IPS[0]}, TCP, ports 80 and 8000.`,
  `The machines are ${machines.one} and ${machines.two}, and answer on the ports 80 and 8000. As root, in another terminal:`,
  '',
  'Fetch through the rule, and see who answers:',
  inside('client', `curl -s -m 2 http://${NAT_IPS[0]}/`),
  'Look at the translations and the connections:',
  inside('gateway', `nft list table ip cloud_nat_${device}`),
  inside('gateway', 'conntrack -L'),
  'Change them behind the console, and see it put right (Datacenters › Gateway lab › Devices shows it):',
  inside('gateway', `nft flush map ip cloud_nat_${device} dnat_ports`),
  'Call out from a machine, before and after an SNAT rule:',
  inside('one', 'curl -s -m 2 http://198.51.100.2:8000/'),
  'Kill the gateway: packets go on, and it comes back:',
  '  kill -9 PROCESS',
  '',
  `${startOver}${directory}`,
)
