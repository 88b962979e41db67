import { describe, expect, test } from 'vitest'
import { call, expectStatus, ORIGIN } from '#lib/tools/testing/client'
import { newCenter, newPlace, newPrivateIp, nicLink, nicsOf } from '#lib/tools/testing/inventory'
import { refusal } from '#lib/tools/testing/refusal'

describe('the nic links of a virtual machine (docs/api/machines.md, "Appliances and virtual machines")', () => {
  test('attach private IPs by number; missing ones stay attached; several may swap numbers', async () => {
    const { center, make } = await newPlace()
    const [one, two] = [await newPrivateIp(center, '10.0.0.1'), await newPrivateIp(center, '10.0.0.2')]
    const { path } = await make({ links: [nicLink(0, center, one)] })
    const put = async (...links: object[]) =>
      nicsOf(await expectStatus(200, call('PUT', path, { body: { name: 'M', links } })))
    expect(await put(nicLink(1, center, two))).toEqual(['nic0 10.0.0.1', 'nic1 10.0.0.2'])
    expect(await put()).toEqual(['nic0 10.0.0.1', 'nic1 10.0.0.2'])
    expect(await put(nicLink(1, center, one), nicLink(0, center, two))).toEqual([
      'nic0 10.0.0.2',
      'nic1 10.0.0.1',
    ])
    expect(await put(nicLink(7, center, one))).toEqual(['nic0 10.0.0.2', 'nic7 10.0.0.1'])
  })

  test('without a number get the lowest free one, and keep it', async () => {
    const { center, make } = await newPlace()
    const ips = [await newPrivateIp(center, '10.0.0.1'), await newPrivateIp(center, '10.0.0.2')] as const
    const links = [nicLink(0, center, ips[0]), nicLink('', center, ips[1])]
    const { path, document } = await make({ links })
    expect(nicsOf(document)).toEqual(['nic0 10.0.0.1', 'nic1 10.0.0.2'])
    const body = { name: 'M', links: [nicLink('', center, ips[1])] }
    expect(nicsOf(await expectStatus(200, call('PUT', path, { body })))).toEqual(nicsOf(document))
  })

  test('PRIVATEIP-1: cannot use the private IP of another machine, or the number of an attached one', async () => {
    const { center, make, post } = await newPlace()
    const [one, two] = [await newPrivateIp(center, '10.0.0.1'), await newPrivateIp(center, '10.0.0.2')]
    const { path } = await make({ links: [nicLink(0, center, one)] })
    expect(await refusal(post({ name: 'X', links: [nicLink(0, center, one)] }))).toEqual([409, 'PRIVATEIP-1'])
    const put = call('PUT', path, { body: { name: 'X', links: [nicLink(0, center, two)] } })
    expect(await refusal(put)).toEqual([409, 'PRIVATEIP-1'])
    expect(nicsOf(await expectStatus(200, call('GET', path)))).toEqual(['nic0 10.0.0.1'])
  })

  test('PRIVATEIP-1: attach a private IP to one machine if several request it at once', async () => {
    const { center, post } = await newPlace()
    const nic = await newPrivateIp(center, '10.0.0.1')
    const made = (name: string) => post({ name, links: [nicLink(0, center, nic)] })
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => made(`M ${index}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  })

  test('PRIVATEIP-0, GEN-6: must lead to different private IPs of this virtual datacenter', async () => {
    const { center, post } = await newPlace()
    const own = await newPrivateIp(center, '10.0.0.1')
    const { id: other } = await newCenter()
    const foreign = await newPrivateIp(other, '10.0.0.2')
    const made = (...links: object[]) => refusal(post({ name: 'X', links }))
    expect(await made(nicLink(0, other, foreign), nicLink(1, center, 999999999))).toEqual([
      404,
      'PRIVATEIP-0',
      'PRIVATEIP-0',
    ])
    expect(await made(nicLink(0, center, own), nicLink(1, center, own))).toEqual([400, 'GEN-6'])
    expect(await made({ ...nicLink(0, center, own), href: `${ORIGIN}/api/admin/scopes/1` })).toEqual([
      400,
      'GEN-6',
    ])
  })
})
