import { expect, test } from 'vitest'
import { transaction } from '#lib/db/db.server'
import { call, expectStatus, newEnterprise, newUser, unique } from '#lib/tools/testing/client'
import { createdUser, newRole, ROLES, usersOf } from '#lib/tools/testing/identity'
import { machinesPath, newAppliance, newTemplateOf } from '#lib/tools/testing/inventory'
import { newDatacenter } from '#lib/tools/testing/nat'
import { newMachineWithIps, ruleBody } from '#lib/tools/testing/nat-rules'
import { linkTo, ownPath, resources } from '#lib/tools/testing/resources'
import { newScope, ofDatacenter, ofEnterprise, putScope, SCOPES, scopeBody } from '#lib/tools/testing/scopes'
import { WEBHOOKS, webhookBody } from '#lib/tools/testing/webhooks'

/* The response to a repeated request is for callers who still see the resource, by the places of its kind. */

type PlaceKind = 'enterprise' | 'datacenter'

/** A resource to create, and the places that its readers see. */
type Made = { kind: string; list: string; body: object; places: PlaceKind[] }

const placesOf: Record<string, PlaceKind[]> = {
  datacenter: ['datacenter'],
  device: ['datacenter'],
  natnetwork: ['datacenter'],
  natip: ['datacenter'],
  enterprise: ['enterprise'],
  user: ['enterprise'],
  role: [],
  virtualdatacenter: ['enterprise', 'datacenter'],
  virtualappliance: ['enterprise', 'datacenter'],
  virtualmachine: ['enterprise', 'datacenter'],
  privateip: ['enterprise', 'datacenter'],
  natsetaside: ['enterprise', 'datacenter'],
  virtualmachinetemplate: ['enterprise', 'datacenter'],
}

async function everyKind(own: number, as: { id: number; enterpriseId: number }) {
  const kinds = (await resources()).filter(({ name }) => name !== 'scope')
  const listOf = (kind: string): string => kinds.find(({ name }) => name === kind)?.list ?? ''
  const enterprise = Number(/enterprises\/(\d+)/.exec(listOf('user'))?.[1])
  const datacenter = Number(/locations\/(\d+)/.exec(listOf('device'))?.[1])
  const within = kinds.flatMap((kind) => kind.within ?? [])
  const machine = await newMachineWithIps()
  const user = await newUser({ enterpriseId: enterprise })
  const more: Made[] = [
    { kind: 'scope', list: SCOPES, body: scopeBody({ parent: own }), places: [] },
    { kind: 'webhook', list: WEBHOOKS, body: webhookBody(), places: [] },
    {
      kind: 'accesstoken',
      list: `${usersOf(as.enterpriseId)}/${as.id}/tokens`,
      body: { name: unique('Token') },
      places: [],
    },
    {
      kind: 'application',
      list: `${listOf('user')}/${user.id}/applications`,
      body: { name: unique('Application') },
      places: ['enterprise'],
    },
    {
      kind: 'role of an enterprise',
      list: listOf('role'),
      body: { name: unique('Role'), links: [linkTo('enterprise', `/admin/enterprises/${enterprise}`)] },
      places: ['enterprise'],
    },
    {
      kind: 'natrule',
      list: `${machine.path}/natrules`,
      body: ruleBody(machine, { snat: true }),
      places: ['enterprise', 'datacenter'],
    },
  ]
  const made = kinds.map(async ({ name, list, body }) => ({
    kind: name,
    list,
    body: await body(),
    places: placesOf[name] ?? [],
  }))
  return {
    made: [...more, ...(await Promise.all(made))],
    enterprises: [enterprise, machine.enterprise, ...within.map((at) => at.enterprise)],
    datacenters: [datacenter, machine.network.datacenter, ...within.map((at) => at.datacenter)],
  }
}

test('a resource of each kind is seen by callers who see its places', async () => {
  const own = await newScope({ automaticAddDatacenter: true, automaticAddEnterprise: true })
  const as = await newUser({ scopeId: own.id })
  const { made, enterprises, datacenters } = await everyKind(own.id, as)
  const post = ({ kind, list, body }: Made) =>
    call('POST', list, { as, body, headers: { 'idempotency-key': kind.replaceAll(' ', '-') } })
  const paths = new Map<string, string>()
  for (const each of made) {
    const document = await expectStatus(201, post(each))
    paths.set(each.kind, ownPath(document))
    if (each.kind === 'enterprise') enterprises.push(document.id)
    if (each.kind === 'datacenter') datacenters.push(document.id)
  }
  const entities = {
    enterprise: enterprises.map(ofEnterprise),
    datacenter: datacenters.map(ofDatacenter),
    neither: [ofEnterprise(as.enterpriseId), ofDatacenter((await newDatacenter()).id)],
  }
  for (const seen of [['enterprise', 'datacenter'], ['enterprise'], ['datacenter'], []] as PlaceKind[][]) {
    const scopeEntities = [...entities.neither, ...seen.flatMap((place) => entities[place])]
    const limited = { automaticAddDatacenter: false, automaticAddEnterprise: false, scopeEntities }
    await expectStatus(200, putScope(own, limited))
    for (const each of made) {
      const again = await post(each)
      const isSeen = each.places.every((place) => seen.includes(place))
      expect([each.kind, seen, again.status]).toEqual([each.kind, seen, isSeen ? 201 : 404])
      if (!isSeen) continue
      const { links } = await again.json()
      const now = await expectStatus(200, call('GET', paths.get(each.kind) ?? '', { as }))
      expect([each.kind, seen, links]).toEqual([each.kind, seen, now.links])
    }
  }
})

test('the name of a resource in an event is for callers who see it now, or saw it last', async () => {
  const [mine, hidden] = [await newEnterprise(), await newEnterprise()]
  const here = await newDatacenter()
  const insider = await newUser({ enterpriseId: mine.id })
  const own = await newScope({ enterprises: [mine.id], datacenters: [here.id] })
  const as = await newUser({ enterpriseId: mine.id, scopeId: own.id })
  const seen = async (kind: string, id: number, field: string, readers: { as?: typeof as } = { as }) => {
    const path = `/api/events?entity=${kind}&entityid=${id}&action=create`
    const { collection } = await expectStatus(200, call('GET', path, readers))
    return collection[0].changes[field]
  }
  const shown = ({ name, id }: { name: string; id: number }) => ({ after: `${name} (${id})` })
  const none = { afterHidden: true }

  const role = async (enterpriseId?: number) => {
    const name = unique('Role')
    return { name, id: await newRole({ name, ...(enterpriseId && { enterpriseId }) }) }
  }
  for (const [held, expected] of [
    [await role(), shown],
    [await role(mine.id), shown],
    [await role(hidden.id), () => none],
  ] as const) {
    const user = await createdUser(mine.id, { role: held.id }, insider)
    expect(await seen('user', user.id, 'role')).toEqual(expected(held))
    expect(await seen('user', user.id, 'role', {})).toEqual(shown(held))
    await expectStatus(204, call('DELETE', `${usersOf('_')}/${user.id}`, { as: insider }))
    await expectStatus(204, call('DELETE', `${ROLES}/${held.id}`))
    expect(await seen('user', user.id, 'role')).toEqual(expected(held))
  }

  const appliance = await newAppliance({ enterprise: mine.id, datacenter: here.id })
  const machines = machinesPath(appliance.center, appliance.id)
  const shared = await newScope({ enterprises: [mine.id] })
  for (const [scope, isShared] of [
    [shared, true],
    [await newScope({ automaticAddEnterprise: true, automaticAddDatacenter: true }), true],
    [await newScope({ enterprises: [hidden.id] }), false],
    [{ id: null }, false],
  ] as const) {
    const template = await newTemplateOf(hidden.id, here.id, shared.id)
    const body = { name: unique('Machine'), links: [template.link] }
    const machine = await expectStatus(201, call('POST', machines, { as: insider, body }))
    await transaction((trx) =>
      trx.updateTable('templates').set({ scope_id: scope.id }).where('id', '=', template.id).execute(),
    )
    expect(await seen('virtualmachine', machine.id, 'virtualmachinetemplate')).toEqual(
      isShared ? shown(template.document) : none,
    )
  }

  const { collection: types } = await expectStatus(200, call('GET', '/api/config/devicetypes'))
  const device = await expectStatus(
    201,
    call('POST', `/api/cloud/locations/${here.id}/devices`, {
      as: insider,
      body: {
        name: unique('Device'),
        endpoint: 'https://192.0.2.1',
        links: [linkTo('devicetype', `/config/devicetypes/${types[0].id}`)],
      },
    }),
  )
  expect(await seen('device', device.id, 'devicetype')).toEqual(shown(types[0]))
})
