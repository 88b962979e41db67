import { expect, test } from 'vitest'
import { maker } from '#lib/tools/sample/cloud.server'
import { reportSampleGateway } from '#lib/tools/sample/gateway.server'
import { gatewayDevice } from '#lib/tools/sample/names'
import { call, expectStatus } from '#lib/tools/testing/client'
import { newDatacenter, newDevice, newNetwork } from '#lib/tools/testing/nat'

test('the gateway of the sample cloud has drifted, as long as no other program reports', async () => {
  const datacenter = await newDatacenter()
  const device = await newDevice(datacenter.id, { name: gatewayDevice, typeName: 'LINUX' })
  await newNetwork({ datacenter: datacenter.id, device: device.id, cidr: '198.51.100.0/28' })
  const path = `/api/cloud/locations/${datacenter.id}/devices/${device.id}/state`
  const state = () => expectStatus(200, call('GET', path))
  expect(await state()).toMatchObject({ status: 'unmanaged' })

  await reportSampleGateway(maker)
  await reportSampleGateway(maker)
  expect(await state()).toMatchObject({ status: 'drifted', mode: 'watch', agent: { name: 'sample gateway' } })

  const agent = { name: 'another', version: '2' }
  await expectStatus(200, call('PUT', path, { body: { revision: 0, agent } }))
  await reportSampleGateway(maker)
  expect(await state()).toMatchObject({ agent, drift: [] })
})
