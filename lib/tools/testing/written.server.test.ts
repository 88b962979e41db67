import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { end, listen } from '#lib/tools/testing/raw'
import { type Outcome, PLANNED, RUN } from '#lib/tools/testing/write-load'
import { inspect } from '#lib/tools/testing/written'

/* The checker sees each kind of loss. */

const plan = Array.from({ length: PLANNED }, (_, part) => `Planned 0-1 ${part}`)
const run = Array.from({ length: RUN }, (_, at) => ({ id: at + 1, ip: `10.0.0.${at}`, quarantine: true }))
const created = (entityName: string) => ({ entityName, action: 'create', changes: {} })
const status = (before: string, after: string) => ({
  entityName: 'Gateway 0',
  action: 'change-status',
  changes: { status: { before, after } },
})

/** One write of each kind, and two reports of a gateway. */
const whole = () => ({
  datacenters: [
    { id: 1, name: 'Of the network' },
    { id: 2, name: 'Written 0-0' },
  ],
  ips: run.map((ip) => ({ ...ip })),
  scopes: plan.map((name, id) => ({ id, name })),
  devices: [{ id: 7, name: 'Gateway 0' }],
  state: { translations: 2, drift: [] as object[] },
  events: [
    ...['Of the network', 'Written 0-0', ...plan].map(created),
    {
      entityName: 'Of the network',
      action: 'change-natips',
      changes: { quarantine: {}, count: { after: `${RUN}` } },
    },
    { entityName: '', action: 'apply-plan', changes: {} },
    status('unmanaged', 'drifted'),
    status('drifted', 'insync'),
  ],
})
type World = ReturnType<typeof whole>

let world = whole()
const list = (collection: unknown[]) => ({ collection, totalSize: collection.length })
const answers: [RegExp, () => object][] = [
  [/action\/allips/, () => list(world.ips)],
  [/\/devices\/7\/state/, () => world.state],
  [/\/devices\?/, () => list(world.devices)],
  [/\/scopes\?/, () => list(world.scopes)],
  [
    /\/events\?entity=device/,
    () => list(world.events.filter(({ entityName }) => entityName === 'Gateway 0')),
  ],
  [/\/events\?/, () => list(world.events)],
  [/\/datacenters\?/, () => list(world.datacenters)],
]
const server = createServer(({ url = '' }, response) =>
  response.end(JSON.stringify(answers.find(([path]) => path.test(url))?.[1]())),
)
const url = `http://127.0.0.1:${await listen(server)}`
afterAll(() => end(server))

const outcomes = [
  ['Written 0-0'],
  run.map(({ ip }) => ip),
  run.map(({ id }) => `quarantined ${id}`),
  plan,
  ['report 0-1'],
  ['report 0-2'],
].map((parts): Outcome => ({ parts, status: 201, began: 0, ended: 1 }))

const inspected = (change: (world: World) => unknown) => {
  world = whole()
  change(world)
  return inspect({ url }, outcomes)
}

test('nothing is missing where everything is there', async () => {
  expect(await inspected(() => {})).toEqual({ present: outcomes.length, lost: [], half: [] })
})

test.each<[string, string[], (world: World) => unknown]>([
  ['a datacenter', ['Written 0-0'], ({ datacenters }) => datacenters.pop()],
  ['an IP of a run', [`10.0.0.${RUN - 1}`, `quarantined ${RUN}`], ({ ips }) => ips.pop()],
  ['a scope of a plan', plan.slice(-1), ({ scopes }) => scopes.pop()],
  [
    'a row of a bulk change',
    ['quarantined 1'],
    ({ ips: [first] }) => Object.assign(first ?? {}, { quarantine: false }),
  ],
  [
    'a report',
    ['report 0-2'],
    ({ state }) => Object.assign(state, { translations: 1, drift: [{ reason: '1' }] }),
  ],
])('%s that was acknowledged and is not there is lost', async (_, missing, change) => {
  const { lost, half } = await inspected(change)
  expect(lost).toEqual(missing)
  expect(half).not.toEqual([])
})

test.each<[string, (world: World) => unknown]>([
  ['a report by half', ({ state }) => state.drift.push({ reason: '1' })],
  ['no event of a created row', ({ events }) => events.splice(1, 1)],
  ['an event without its row', ({ events }) => events.push(created('Written 9-9'))],
  [
    'an event of more rows',
    ({ events }) =>
      events.push({ ...status('', ''), changes: { quarantine: {}, count: { after: '1' } } } as never),
  ],
  [
    'no event of a plan',
    ({ events }) =>
      events.splice(
        events.findIndex(({ action }) => action === 'apply-plan'),
        1,
      ),
  ],
  ['a change of a status twice', ({ events }) => events.push(status('drifted', 'insync'))],
])('%s is a partial write', async (_, change) => {
  const { lost, half } = await inspected(change)
  expect(lost).toEqual([])
  expect(half).not.toEqual([])
})
